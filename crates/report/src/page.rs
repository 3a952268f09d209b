//! The interactive page: what it shows as data, and the document around it.
//!
//! The script and the style are files of their own under `page/`. The data is one JSON object, in which no text of a
//! program can end the script element. The document allows no request to anywhere, and no other script or style.

mod data;
mod document;
mod prose;

pub(crate) use data::{ExecutionData, Files, PageData, relations_named};
pub(crate) use document::{document, head, in_html, tail};
