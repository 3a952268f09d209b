mod differential;
mod generator;
mod operations;
mod runner;
mod sequential;
