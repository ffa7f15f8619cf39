package dev.outcrop.rocksdb;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The JDK Flight Recorder event of a memtable that was written into a table file; see {@link FlightRecorderListener}. */
@Name("dev.outcrop.Flush")
@Label("Flush")
@Category("Outcrop")
@StackTrace(false)
final class FlushEvent extends Event {
    @Label("Column Family")
    @Nullable
    String columnFamily;

    @Label("File")
    @Nullable
    String file;

    @Label("Reason")
    @Nullable
    String reason;

    @Label("Slowed Writes")
    boolean slowedWrites;

    @Label("Stopped Writes")
    boolean stoppedWrites;
}
