package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WideColumn;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchHandler;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the names of the column families that a batch of a database's log changes. For one thread. */
final class FamilyNames implements WriteBatchHandler {
    private static final byte[] ONE_BYTE = new byte[1];

    private final RocksDB db;
    private final Map<Integer, String> known = new HashMap<>();
    private Map<Integer, String> found = new HashMap<>();
    private int emptyRanges;

    FamilyNames(RocksDB db) {
        this.db = db;
    }

    /**
     * Returns the column families that a batch changes, except for dropped families and the family of the pipelines' positions. Deleting an
     * empty range changes nothing.
     */
    Map<Integer, String> of(WriteBatch batch) {
        found = new HashMap<>();
        emptyRanges = 0;
        batch.forEach(this);
        return found;
    }

    /** Returns how often the last batch deletes a range that ends where it begins. */
    int emptyRanges() {
        return emptyRanges;
    }

    private void add(int id) {
        if (found.containsKey(id)) {
            return;
        }
        String name = known.get(id);
        if (name == null) {
            name = name(id);
            if (name == null) {
                return;
            }
            known.put(id, name);
        }
        if (!name.equals(PositionStore.FAMILY)) {
            found.put(id, name);
        }
    }

    private @Nullable String name(int id) {
        for (ColumnFamily family : db.columnFamilies()) {
            if (family.id() == id) {
                requirePlain(family);
                return family.name();
            }
        }
        return null;
    }

    /** Refuses a column family with timestamps: a batch does not tell where the key ends and the timestamp begins. */
    static void requirePlain(ColumnFamily family) {
        WriteBatch probe = new WriteBatch();
        probe.in(family).put(ONE_BYTE, ONE_BYTE);
        probe.forEach(new WriteBatchHandler() {
            @Override
            public void put(int id, MemorySegment key, MemorySegment value) {
                if (key.byteSize() != ONE_BYTE.length) {
                    throw new PipelineException("Column family '" + family.name()
                            + "' has timestamps, which a feed of changes cannot carry. Keep it in a database of its own");
                }
            }
        });
    }

    @Override
    public void put(int family, MemorySegment key, MemorySegment value) {
        add(family);
    }

    @Override
    public void delete(int family, MemorySegment key) {
        add(family);
    }

    @Override
    public void singleDelete(int family, MemorySegment key) {
        add(family);
    }

    @Override
    public void deleteRange(int family, MemorySegment begin, MemorySegment end) {
        if (begin.mismatch(end) == -1) {
            emptyRanges++;
        } else {
            add(family);
        }
    }

    @Override
    public void merge(int family, MemorySegment key, MemorySegment operand) {
        add(family);
    }

    @Override
    public void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
        add(family);
    }

    @Override
    public void beginPrepare() {
        throw new PipelineException(
                "The log has a prepared transaction (two-phase commit), which a feed of changes cannot carry."
                        + " Commit transactions without preparing them in a database that has a feed");
    }
}
