//! The models on whole programs and on random graphs.

mod jam21;
mod properties;
mod store_buffers;
mod support;
