mod runner;
mod sequential;
