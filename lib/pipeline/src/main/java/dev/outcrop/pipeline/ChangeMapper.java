package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WideColumn;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchHandler;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Applies the changes of one database to another one: column families by name. For one thread. */
final class ChangeMapper implements RecordMapper {
    private final RocksDB db;

    ChangeMapper(RocksDB db) {
        this.db = Objects.requireNonNull(db, "db");
    }

    @Override
    public void map(long offset, MemorySegment payload, RecordWrites writes) {
        Change change = Change.read(payload);
        Map<Integer, RecordWrites> families = new HashMap<>();
        change.families().forEach((id, name) -> families.put(id, writes.in(family(name))));
        WriteBatch.of(change.batch()).forEach(new Copy(families));
    }

    private ColumnFamily family(String name) {
        ColumnFamily there = db.findColumnFamily(name);
        if (there == null) {
            there = db.createColumnFamily(name, new Options());
        }
        return there;
    }

    /** Adds each change to the column family with the same name in the other database, unless the change is left out. */
    private record Copy(Map<Integer, RecordWrites> families) implements WriteBatchHandler {
        private interface Operation {
            void to(RecordWrites family);
        }

        private void add(int family, Operation operation) {
            RecordWrites there = families.get(family);
            if (there != null) {
                operation.to(there);
            }
        }

        @Override
        public void put(int family, MemorySegment key, MemorySegment value) {
            add(family, to -> to.put(key, value));
        }

        @Override
        public void delete(int family, MemorySegment key) {
            add(family, to -> to.delete(key));
        }

        @Override
        public void singleDelete(int family, MemorySegment key) {
            add(family, to -> to.singleDelete(key));
        }

        @Override
        public void deleteRange(int family, MemorySegment begin, MemorySegment end) {
            add(family, to -> to.deleteRange(begin, end));
        }

        @Override
        public void merge(int family, MemorySegment key, MemorySegment operand) {
            add(family, to -> to.merge(key, operand));
        }

        @Override
        public void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
            add(family, to -> to.putEntity(key, columns));
        }
    }
}
