#![allow(dead_code, reason = "each test uses a part")]

pub mod cycles;
pub mod definition;
pub mod location_clocks;
pub mod monitor;
pub mod platform;
pub mod production;
pub mod trace;
