#![allow(dead_code, reason = "each test uses a part")]

pub mod platform;
