package dev.outcrop.rocksdb.engine;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/**
 * The JDK Flight Recorder event of a slow read, of one key or of many in one call. A recording may set another threshold:
 * {@code dev.outcrop.SlowRead#threshold=1ms}.
 */
@Name("dev.outcrop.SlowRead")
@Label("Slow Read")
@Category("Outcrop")
@Description("Reading from a RocksDB database took longer than the threshold")
@Threshold("20 ms")
public final class SlowReadEvent extends Event {
    /** Tells whether a recording wants this event; never committed. */
    private static final SlowReadEvent NONE = new SlowReadEvent();

    @Label("Column Family")
    @Description("And its database; how many if there were several")
    @Nullable
    public String columnFamily;

    @Label("Keys")
    @Description("How many keys the call read")
    public int keys;

    @Label("Key Size")
    @Description("Of all keys together")
    @DataAmount
    public long keySize;

    /** Begins an event, or returns null if no recording wants it. */
    static @Nullable SlowReadEvent beginIfRecorded() {
        if (!NONE.isEnabled()) {
            return null;
        }
        SlowReadEvent event = new SlowReadEvent();
        event.begin();
        return event;
    }

    /** Ends the event of a call that read keys of several column families, including {@code family}. */
    public void end(FamilyHandle family, int families, int keyCount, long sizeOfKeys) {
        end();
        if (shouldCommit()) {
            columnFamily = families > 1 ? families + " column families of " + family.database() : family.toString();
            keys = keyCount;
            keySize = sizeOfKeys;
            commit();
        }
    }
}
