/**
 * Shows a database ({@link dev.outcrop.micrometer.RocksDBMetrics}) or a queue ({@link dev.outcrop.micrometer.QueueMetrics}) to a metrics system.
 */
@NullMarked
package dev.outcrop.micrometer;

import org.jspecify.annotations.NullMarked;
