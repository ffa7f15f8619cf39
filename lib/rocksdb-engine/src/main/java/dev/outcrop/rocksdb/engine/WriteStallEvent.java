package dev.outcrop.rocksdb.engine;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The JDK Flight Recorder event of writes that are slowed down or stopped. */
@Name("dev.outcrop.WriteStall")
@Label("Write Stall")
@Category("Outcrop")
@StackTrace(false)
public final class WriteStallEvent extends Event {
    @Label("Column Family")
    @Nullable
    public String columnFamily;

    @Label("Condition")
    @Nullable
    public String condition;
}
