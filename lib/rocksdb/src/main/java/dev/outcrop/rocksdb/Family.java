package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.WriteStalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An open column family with its options. */
final class Family extends FamilyHandle {
    final OpenDatabase database;
    /** The name of its iterators in leak reports; made once, not for each iterator. */
    final String iteratorName;
    final boolean hasMergeOperator;
    /** Whether its table files can hold the deletion of a range. */
    private final boolean canDeleteRanges;
    /** A copy of its present options; replaced, never changed. */
    volatile Options options;

    /** Takes over a handle, after the database was leased for it. */
    Family(OpenDatabase database, long handle, String name, Options options) {
        super(database, handle, name, options.keyOrder(), options.timestampSize());
        this.database = database;
        this.hasMergeOperator = options.hasMergeOperator();
        this.canDeleteRanges = options.canDeleteRanges();
        this.options = options.opened(database.options.atomicFlush());
        this.iteratorName = "iterator of " + lifetime;
    }

    WriteStalls.Limits stallLimits() {
        Options now = options;
        return new WriteStalls.Limits(!now.disableAutoCompactions(), now.level0FileNumCompactionTrigger(),
                now.level0SlowdownWritesTrigger(), now.level0StopWritesTrigger(),
                now.hardPendingCompactionBytesLimit());
    }

    /** Refuses merges without an operator: RocksDB ends the process when it meets one, and checks only single writes. */
    void requireMergeOperator() {
        if (!hasMergeOperator) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + this
                    + " has no merge operator; open it with new Options().mergeOperator(…)");
        }
    }

    /**
     * Refuses range deletions that the table files cannot hold. RocksDB checks this too late, after it has logged the write, and then
     * refuses all writes until the database is opened again.
     */
    void requireRangeDeletions() {
        if (!canDeleteRanges) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The table format of the " + this
                    + " cannot hold the deletion of a range; delete the keys one by one, or use block-based tables,"
                    + " which are RocksDB's default");
        }
    }

    /** Refuses read options for keys with timestamps of another size, 0 for none. */
    void requireReadTimestamp(int size) {
        if (size != timestampSize) {
            throw wrongReadTimestamp(size);
        }
    }

    RocksDBException wrongReadTimestamp(int size) {
        String keys = "The keys of the " + this + " have ";
        if (size == 0) {
            return refused(keys + "timestamps of " + timestampSize
                    + " bytes; read it with new ReadOptions().timestamp(...)");
        }
        return refused(timestampSize == 0
                ? keys + "no timestamps; read it with options that have none either"
                : keys + "timestamps of " + timestampSize + " bytes, but the read options one of " + size);
    }

    void requireTimestamps() {
        if (timestampSize == 0) {
            throw refused("The keys of the " + this + " have no timestamps; read it with get(key)");
        }
    }

    /** The exception for a write without the timestamp that keys need. */
    RocksDBException noWriteTimestamp() {
        return refused("The keys of the " + this + " have timestamps of " + timestampSize
                + " bytes; write it with at(timestamp)");
    }

    void requireWriteTimestamp(long size) {
        if (timestampSize == 0) {
            throw new IllegalArgumentException("The keys of the " + this + " have no timestamps");
        }
        if (size != timestampSize) {
            throw new IllegalArgumentException("The timestamp has " + size + " bytes, but those of the " + this
                    + " have " + timestampSize);
        }
    }

    private static RocksDBException refused(String message) {
        return RocksDBException.of(Status.Code.INVALID_ARGUMENT, message);
    }

    /** The handles of families, as an array in scratch memory. */
    static MemorySegment handles(Scratch scratch, List<Family> families) {
        return scratch.allocateFrom(ValueLayout.JAVA_LONG, families.stream().mapToLong(each -> each.handle).toArray());
    }

    /** Returns a property of this family, which is entered; null if there is no such property. */
    @Nullable
    String property(Scratch entered, String property) {
        return NativeFamilies.property(database.db, handle, ApiCall.in(entered, property));
    }

    /** Several families that are entered for one native call. */
    static final class EnteredFamilies implements AutoCloseable {
        private final Deque<Scratch> scratches = new ArrayDeque<>();

        private EnteredFamilies() {
        }

        static EnteredFamilies all(Collection<Family> families) {
            EnteredFamilies entered = new EnteredFamilies();
            try {
                // Their lifetimes alone: the caller has entered the database.
                families.forEach(family -> entered.scratches.push(family.lifetime.enter()));
                return entered;
            } catch (Throwable e) {
                entered.close();
                throw e;
            }
        }

        /** Leases each family for an object that uses all of them. */
        void lease(List<Family> families, DatabaseChild child) {
            // The last one to be entered is on top of the stack.
            Iterator<Scratch> oldestFirst = scratches.descendingIterator();
            families.forEach(family -> family.lifetime.lease(oldestFirst.next(), child));
        }

        @Override
        public void close() {
            while (!scratches.isEmpty()) {
                scratches.pop().close();
            }
        }
    }
}
