/** Shows a database to a metrics system: {@link dev.outcrop.micrometer.RocksDBMetrics}. */
@NullMarked
package dev.outcrop.micrometer;

import org.jspecify.annotations.NullMarked;
