package dev.outcrop.benchmarks.write;

/** What an operation does. */
enum Action {
    /** Puts one key. */
    PUT,
    /** Makes a batch, and does not write it. */
    BUILD,
    /** Makes a batch and writes it. */
    WRITE
}
