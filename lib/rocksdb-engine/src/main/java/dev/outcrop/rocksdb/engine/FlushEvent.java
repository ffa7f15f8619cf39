package dev.outcrop.rocksdb.engine;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The JDK Flight Recorder event of a memtable that was written into a table file. */
@Name("dev.outcrop.Flush")
@Label("Flush")
@Category("Outcrop")
@StackTrace(false)
public final class FlushEvent extends Event {
    @Label("Column Family")
    @Nullable
    public String columnFamily;

    @Label("File")
    @Nullable
    public String file;

    @Label("Reason")
    @Nullable
    public String reason;

    @Label("Slowed Writes")
    public boolean slowedWrites;

    @Label("Stopped Writes")
    public boolean stoppedWrites;
}
