//! Random C++ programs: exceptions that unwind through destructors and locks, containers, strings and smart pointers,
//! in threads of `std::thread`. Free of data races: plain data belongs to one thread or is protected by the lock.

use std::fmt::Write;

use fastrand::Rng;

const HEADER: &str = r#"#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>
#include <stdlib.h>
#ifdef __FENCEPOST__
#define PAUSE()
#else
#include <sched.h>
static thread_local unsigned noise;
static void pause_at_random() {
  noise = noise * 1103515245u + 12345u;
  if ((noise >> 16) % 3 == 0) sched_yield();
  for (volatile unsigned i = (noise >> 16) % 64; i > 0; i = i - 1) {}
}
#define PAUSE() pause_at_random()
#endif
#define READ(...) (r = r * 8 + ((unsigned long)(__VA_ARGS__) & 7))
struct Problem {
  int code;
  Problem(int c) : code(c) {}
  virtual ~Problem() {}
  virtual int kind() const { return 1; }
};
struct Detail { int detail = 3; virtual ~Detail() {} };
struct Wrong : Problem, Detail {
  Wrong(int c) : Problem(c) {}
  int kind() const override { return 2; }
};
struct Virtual : virtual Problem { Virtual(int c) : Problem(c) {} };
/* Counts when it ends, also when an exception passes. */
struct Token {
  std::atomic<int> &count;
  int by;
  Token(std::atomic<int> &c, int b) : count(c), by(b) {}
  Token(const Token &) = delete;
  ~Token() { count.fetch_add(by, std::memory_order_relaxed); }
};
"#;

/// What the threads of a program share: made for each run, so that there are no constructors before `main`.
const GLOBALS: &str = r#"
struct @State {
  std::atomic<int> x0{0}, x1{0};
  std::mutex m;
  int p = 0;
  std::vector<int> vector;
  std::map<int, int> map;
  std::unordered_map<int, int> hashed;
  std::deque<int> deque;
  std::list<int> list;
  std::string text;
  std::shared_ptr<int> shared;
  std::exception_ptr error;
};
static @State *@g;
static int @runs;
static int @recursive(int n) {
  Token token(@g->x1, 1);
  if (n == 0) throw Wrong(@g->x0.load());
  return 1 + @recursive(n - 1);
}
"#;

const FINISH: &str = r#"  READ(state.x0), READ(state.x1), READ(state.p);
  for (int i : state.vector) READ(i);
  for (auto &[key, value] : state.map) READ(key * 3 + value);
  for (int i : state.deque) READ(i);
  for (int i : state.list) READ(i);
  READ(state.hashed.size()), READ(state.text.size()), READ(state.shared ? *state.shared : 0);
  READ(state.error != nullptr);
"#;

/// What every program needs once.
pub fn header() -> &'static str {
    HEADER
}

/// One program: everything that it defines has the prefix. `PREFIX_run` runs it once and returns its outcome.
pub fn program(seed: u64, prefix: &str) -> String {
    let mut generator = Generator { random: Rng::with_seed(seed), depth: 0, locked: false, handlers: 0 };
    generator.program().replace('@', prefix)
}

struct Generator {
    random: Rng,
    depth: u32,
    locked: bool,
    /// Handlers around what is generated, within the thread.
    handlers: u32,
}

impl Generator {
    fn program(&mut self) -> String {
        let mut text = String::from(GLOBALS);
        for thread in 0..2 {
            let noise = "#ifndef __FENCEPOST__\n  noise += (unsigned)(size_t)&r + (unsigned)@runs;\n#endif\n";
            write!(text, "static unsigned long @t{thread}() {{\n  unsigned long r = 0;\n{noise}  try {{\n")
                .expect("a string");
            for _ in 0..self.random.usize(2..4) {
                let statement = self.statement();
                write!(text, "  PAUSE();\n{statement}").expect("a string");
            }
            text += "  } catch (const Problem &problem) {\n    READ(problem.kind());\n  } catch (const std::exception &) {\n    READ(5);\n  } catch (...) {\n    READ(6);\n  }\n  return r;\n}\n";
        }
        write!(text, "extern \"C\" unsigned long @run(void) {{\n  @runs++;\n  @State state;\n  @g = &state;\n  unsigned long r = 0;\n").expect("a string");
        text += match self.random.u8(..3) {
            0 => {
                "  auto other = std::async(std::launch::async, @t1);\n  unsigned long mine = @t0();\n  r = mine * 31 + other.get();\n"
            }
            _ => {
                "  unsigned long results[2];\n  std::thread a([&] { results[0] = @t0(); }), b([&] { results[1] = @t1(); });\n  a.join(), b.join();\n  r = results[0] * 31 + results[1];\n"
            }
        };
        text + FINISH + "  return r;\n}\n"
    }

    fn pick<'a>(&mut self, among: &[&'a str]) -> &'a str {
        among[self.random.usize(..among.len())]
    }

    fn inner(&mut self) -> String {
        self.depth += 1;
        let count = self.random.usize(1..3);
        let text = (0..count).map(|_| self.statement()).collect();
        self.depth -= 1;
        text
    }

    fn statement(&mut self) -> String {
        let (x, value) = (self.random.u8(..2), self.random.u8(1..4));
        match self.random.u8(..16) {
            0 | 1 => format!("  READ(@g->x{x}.load());\n"),
            2 => format!("  @g->x{x}.store({value}, std::memory_order_release);\n"),
            3 => format!("  READ(@g->x{x}.fetch_add({value}));\n"),
            4 | 5 if self.depth < 3 => {
                let inner = self.inner();
                format!("  {{\n  Token token(@g->x{x}, {value});\n{inner}  }}\n")
            }
            6 | 7 if self.depth < 3 => self.handled(),
            8 | 9 => {
                let condition = self.pick(&["true", "@g->x0.load() & 1", "@g->x1.load() == 0"]);
                let what = self.pick(&[
                    "Wrong(2)",
                    "Virtual(3)",
                    "std::runtime_error(\"why\")",
                    "4",
                    "(const char *)\"text\"",
                    "std::string(\"long enough to need memory\")",
                    "(Problem *)nullptr",
                ]);
                format!("  if ({condition}) throw {what};\n")
            }
            10..=12 if !self.locked && self.depth < 3 => {
                self.locked = true;
                let guarded = self.guarded(value);
                let inner = if self.random.bool() { self.inner() } else { String::new() };
                self.locked = false;
                let lock = self.pick(&["std::lock_guard", "std::unique_lock", "std::scoped_lock"]);
                format!("  {{\n  {lock}<std::mutex> lock(@g->m);\n{guarded}{inner}  }}\n")
            }
            13 => format!("  READ(@recursive({}));\n", self.random.u8(..3)),
            _ => self.local(value),
        }
    }

    fn handled(&mut self) -> String {
        self.handlers += 1;
        let inner = self.inner();
        self.handlers -= 1;
        let mut text = format!("  try {{\n{inner}  }}");
        let all = [
            " catch (const Wrong &wrong) {\n    READ(wrong.detail);\n",
            " catch (Problem &problem) {\n    READ(problem.kind());\n    READ(dynamic_cast<Detail *>(&problem) != nullptr);\n",
            " catch (std::exception &e) {\n    READ(e.what()[0]);\n",
            " catch (int i) {\n    READ(i);\n",
            " catch (std::string text) {\n    READ(text.size());\n",
            " catch (const void *pointer) {\n    READ(pointer == nullptr);\n",
            " catch (...) {\n    READ(7);\n",
        ];
        let mut some: Vec<&str> = all.into_iter().filter(|_| self.random.u8(..3) == 0).collect();
        if some.is_empty() {
            some.push(all[self.random.usize(..all.len())]);
        }
        for clause in some {
            text += clause;
            match self.random.u8(..6) {
                0 => text += "    throw;\n",
                1 => text += "    throw Wrong(1);\n",
                2 if !self.locked => {
                    text += "    std::lock_guard<std::mutex> lock(@g->m);\n    @g->error = std::current_exception();\n";
                }
                _ => {}
            }
            text += "  }";
        }
        text + "\n"
    }

    /// Something with what the lock guards.
    fn guarded(&mut self, value: u8) -> String {
        let key = self.random.u8(..2);
        match self.random.u8(..10) {
            0 => format!("  READ(@g->p);\n  @g->p += {value};\n"),
            1 => format!("  @g->vector.push_back({value});\n  READ(@g->vector.size());\n"),
            2 => format!("  READ(@g->vector.at({key}));\n"),
            3 => format!("  @g->map[{key}] += {value};\n  READ(@g->map.size());\n"),
            4 => format!("  @g->hashed.emplace({key}, {value});\n  READ(@g->hashed.count({value}));\n"),
            5 => format!("  @g->deque.push_front({value});\n  if (@g->deque.size() > 1) @g->deque.pop_back();\n"),
            6 => format!("  @g->list.push_back({value});\n  READ(@g->list.front());\n"),
            7 => format!(
                "  @g->text += \"{}\";\n  READ(@g->text.find('b'));\n",
                ["a", "abc", "a text of some length"][value as usize - 1]
            ),
            8 => format!("  if (@g->shared) READ(*@g->shared);\n  @g->shared = std::make_shared<int>({value});\n"),
            _ => "  if (@g->error) std::rethrow_exception(@g->error);\n".to_owned(),
        }
    }

    /// Something that no other thread sees.
    fn local(&mut self, value: u8) -> String {
        match self.random.u8(..8) {
            0 => {
                format!("  {{ std::optional<int> maybe; if (@g->x0.load()) maybe = {value}; READ(maybe.value()); }}\n")
            }
            1 => format!(
                "  {{ std::variant<int, std::string> either = {value}; READ(std::get<{}>(either) == std::variant_alternative_t<{0}, decltype(either)>()); }}\n",
                value % 2
            ),
            2 => format!(
                "  {{ std::function<int(int)> next = [&](int i) {{ return i + (int)@g->x0.load(); }}; READ(next({value})); }}\n"
            ),
            3 => format!(
                "  {{ std::unique_ptr<Problem> owned(new Wrong({value})); READ(owned->kind()); if (@g->x1.load()) throw {value}; }}\n"
            ),
            4 => format!(
                "  {{ std::string text = std::to_string(@g->x0.load() + {value}); READ(text[0]); READ(std::stoi(text)); }}\n"
            ),
            5 => format!(
                "  {{ std::vector<Token *> all; all.push_back(new Token(@g->x1, {value})); delete all.back(); READ(all.size()); }}\n"
            ),
            6 => format!(
                "  {{ std::promise<int> promise; auto future = promise.get_future(); if (@g->x0.load()) promise.set_value({value}); else promise.set_exception(std::make_exception_ptr(Wrong({value}))); READ(future.get()); }}\n"
            ),
            _ => format!(
                "  {{ std::map<std::string, int> words; words[\"one\"] = {value}; READ(words.at(@g->x1.load() ? \"one\" : \"two\")); }}\n"
            ),
        }
    }
}
