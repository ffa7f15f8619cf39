package dev.outcrop.rocksdb;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * The JDK Flight Recorder event of a read that took long. A recording may set another threshold:
 * {@code dev.outcrop.SlowRead#threshold=1ms}.
 */
@Name("dev.outcrop.SlowRead")
@Label("Slow Read")
@Category("Outcrop")
@Description("Reading a key from a RocksDB database took longer than the threshold")
@Threshold("20 ms")
final class SlowReadEvent extends Event {
    /** Asked whether any recording wants this event; never committed. */
    private static final SlowReadEvent NONE = new SlowReadEvent();

    @Label("Column Family")
    @Description("And its database")
    @Nullable
    String columnFamily;

    @Label("Key Size")
    @DataAmount
    long keySize;

    /** Begins an event, or returns null if no recording wants it: two loads and a branch then. */
    static @Nullable SlowReadEvent beginIfRecorded() {
        if (!NONE.isEnabled()) {
            return null;
        }
        SlowReadEvent event = new SlowReadEvent();
        event.begin();
        return event;
    }

    /** Ends an event; called with null if none was begun. */
    static void end(@Nullable SlowReadEvent event, Family family, long keySize) {
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                event.columnFamily = family.toString();
                event.keySize = keySize;
                event.commit();
            }
        }
    }
}
