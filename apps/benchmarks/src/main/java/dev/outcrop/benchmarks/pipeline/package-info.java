/** Records of a queue into RocksDB, each exactly once: a pipeline, and the same job on Chronicle Queue and rocksdbjni. */
@NullMarked
package dev.outcrop.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
