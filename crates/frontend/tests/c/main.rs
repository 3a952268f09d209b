mod differential;
mod generator;
mod runner;
mod sequential;
