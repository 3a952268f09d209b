//! A headless Chromium, driven through the W3C WebDriver protocol by Debian's `chromium-driver`. A request is a line of
//! HTTP and a JSON object, so no library is needed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// A window of this size.
    pub fn start(size: (u32, u32)) -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver: install the Debian packages chromium and chromium-driver");
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let port = line.split("started successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse().ok()
        });
        // Nobody reads the rest, but the driver must be able to write it.
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Browser { driver, port: port.expect("chromedriver tells its port"), session: String::new() };
        let arguments = [
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--hide-scrollbars".to_owned(),
            format!("--window-size={},{}", size.0, size.1),
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let answer = browser.request("POST", "/session", Some(&capabilities));
        browser.session = answer["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        browser
    }

    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        let body = body.map(Value::to_string).unwrap_or_default();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        for line in reader.by_ref().lines() {
            let line = line.unwrap().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text).unwrap();
        let mut answer: Value = serde_json::from_slice(&text).unwrap();
        answer["value"].take()
    }

    fn command(&self, path: &str, body: Value) -> Value {
        let answer = self.request("POST", &format!("/session/{}/{path}", self.session), Some(&body));
        assert!(answer.get("error").is_none(), "{path}: {}", answer["message"]);
        answer
    }

    /// Opens a file.
    pub fn open(&self, page: &Path) {
        self.command("url", json!({ "url": format!("file://{}", page.display()) }));
    }

    /// The value of a JavaScript expression.
    pub fn value(&self, expression: &str) -> Value {
        self.command("execute/sync", json!({ "script": format!("return ({expression});"), "args": [] }))
    }

    /// Presses keys, one after the other; each is a character, or one of the names below.
    pub fn press(&self, keys: &[&str]) {
        let code = |key: &&str| {
            match *key {
                "ArrowLeft" => "\u{e012}",
                "ArrowRight" => "\u{e014}",
                "ArrowUp" => "\u{e013}",
                "ArrowDown" => "\u{e015}",
                "Home" => "\u{e011}",
                "End" => "\u{e010}",
                "Enter" => "\u{e007}",
                "Tab" => "\u{e004}",
                "Escape" => "\u{e00c}",
                character => character,
            }
            .to_owned()
        };
        let actions: Vec<Value> = keys
            .iter()
            .map(code)
            .flat_map(|key| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })])
            .collect();
        self.command("actions", json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Clicks what a CSS selector finds first.
    pub fn click(&self, selector: &str) {
        let element = self.command("element", json!({ "using": "css selector", "value": selector }));
        let id = element.as_object().and_then(|object| object.values().next()?.as_str().map(str::to_owned));
        self.command(&format!("element/{}/click", id.expect(selector)), json!({}));
    }

    /// What the page wrote to the console, and what went wrong in it.
    pub fn console(&self) -> Vec<String> {
        let entries = self.command("se/log", json!({ "type": "browser" }));
        entries.as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
    }

    /// The addresses that were asked for, without the page itself.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.command("se/log", json!({ "type": "performance" }));
        let address = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            if message["method"] != "Network.requestWillBeSent" || message["params"]["type"] == "Document" {
                return None;
            }
            message["params"]["request"]["url"].as_str().map(str::to_owned)
        };
        entries.as_array().unwrap().iter().filter_map(address).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.request("DELETE", &format!("/session/{}", self.session), None);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
