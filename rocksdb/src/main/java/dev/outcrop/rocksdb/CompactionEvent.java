package dev.outcrop.rocksdb;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The JDK Flight Recorder event of a compaction; see {@link FlightRecorderListener}. */
@Name("dev.outcrop.Compaction")
@Label("Compaction")
@Category("Outcrop")
@StackTrace(false)
final class CompactionEvent extends Event {
    @Label("Column Family")
    @Nullable
    String columnFamily;

    @Label("Reason")
    @Nullable
    String reason;

    @Label("Input Level")
    int inputLevel;

    @Label("Output Level")
    int outputLevel;

    @Label("Input Files")
    int inputFiles;

    @Label("Output Files")
    int outputFiles;

    @Label("Input Size")
    @DataAmount
    long inputSize;

    @Label("Output Size")
    @DataAmount
    long outputSize;

    @Label("Failure")
    @Nullable
    String failure;
}
