//! The models on whole programs and on random graphs.

mod appendix_c;
mod jam21;
mod properties;
mod store_buffers;
mod support;
