/**
 * Shows a database ({@link dev.outcrop.micrometer.RocksDBMetrics}), a queue ({@link dev.outcrop.micrometer.QueueMetrics}) or a pipeline
 * ({@link dev.outcrop.micrometer.PipelineMetrics}) to a metrics system.
 */
@NullMarked
package dev.outcrop.micrometer;

import org.jspecify.annotations.NullMarked;
