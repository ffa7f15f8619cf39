package dev.outcrop.rocksdb.engine;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The JDK Flight Recorder event of a compaction. */
@Name("dev.outcrop.Compaction")
@Label("Compaction")
@Category("Outcrop")
@StackTrace(false)
public final class CompactionEvent extends Event {
    @Label("Column Family")
    @Nullable
    public String columnFamily;

    @Label("Reason")
    @Nullable
    public String reason;

    @Label("Input Level")
    public int inputLevel;

    @Label("Output Level")
    public int outputLevel;

    @Label("Input Files")
    public int inputFiles;

    @Label("Output Files")
    public int outputFiles;

    @Label("Input Size")
    @DataAmount
    public long inputSize;

    @Label("Output Size")
    @DataAmount
    public long outputSize;

    @Label("Failure")
    @Nullable
    public String failure;
}
