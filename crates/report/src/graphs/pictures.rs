//! Execution graphs in one SVG, one below the other.

use fencepost_story::WitnessGraph;

use crate::svg::{Picture, picture};

/// Viewers of pictures take no more.
const MOST: usize = 500;
const GAP: f64 = 12.0;

#[derive(Default)]
pub(super) struct Pictures {
    pictures: Vec<Picture>,
    left_out: u64,
}

impl Pictures {
    pub(super) fn add(&mut self, drawing: impl FnOnce() -> WitnessGraph) {
        if self.pictures.len() < MOST {
            self.pictures.push(picture(&drawing()));
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn text(&self) -> String {
        let mut body = String::new();
        let (mut y, mut width) = (0.0, 100.0f64);
        for picture in &self.pictures {
            body.push_str(&picture.text.replacen("<svg ", &format!("<svg y=\"{y:.0}\" "), 1));
            y += picture.height + GAP;
            width = width.max(picture.width);
        }
        if self.left_out > 0 {
            body.push_str(&format!("<text x=\"24\" y=\"{:.0}\">and {} more</text>\n", y + 20.0, self.left_out));
            y += 40.0;
        }
        let y = y.max(GAP);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{y:.0}\" \
             viewBox=\"0 0 {width:.0} {y:.0}\">\n{body}</svg>\n"
        )
    }
}
