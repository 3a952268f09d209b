//! The models on whole programs and on random graphs.

mod agreement;
mod clocks;
mod family;
mod jam21;
mod no_reorder;
mod objection;
mod properties;
mod store_buffers;
mod support;
