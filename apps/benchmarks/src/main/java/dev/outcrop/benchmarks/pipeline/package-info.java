/** Writes the records of a queue to RocksDB, each exactly once: by a pipeline, and by the same job with Chronicle Queue and rocksdbjni. */
@NullMarked
package dev.outcrop.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
