package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchFamily;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Changes that are made together or not at all, and many changes at once, which is far faster than one by one. */
public final class Batches {
    private static final int ENTRIES = 100_000;
    /** Big-endian, so that the order of the bytes is the order of the numbers. */
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

    public static void main(String[] args) {
        try (RocksDB db = RocksDB.open(Example.directory(), new Options().createIfMissing(true))) {
            ColumnFamily byMail = db.createColumnFamily("by mail", new Options());
            // tag::atomic[]
            WriteBatch batch = new WriteBatch(); // there is nothing to close
            batch.put("alice".getBytes(UTF_8), "alice@example.org".getBytes(UTF_8));
            batch.in(byMail).put("alice@example.org".getBytes(UTF_8), "alice".getBytes(UTF_8));
            batch.in(byMail).delete("alice@example.com".getBytes(UTF_8));
            db.with(new WriteOptions().sync(true)).write(batch); // on the disk when it returns, with all before it
            // end::atomic[]
            check(byMail.get("alice@example.org".getBytes(UTF_8)) != null, "the index was written with the entry");

            load(db.createColumnFamily("numbers", new Options()), db);
        }
    }

    private static void load(ColumnFamily numbers, RocksDB db) {
        long began = System.nanoTime();
        // tag::load[]
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocate(LONG);
            WriteBatch batch = new WriteBatch(1 << 20);
            WriteBatchFamily inNumbers = batch.in(numbers);
            for (long i = 0; i < ENTRIES; i++) {
                key.set(LONG, 0, i);
                inNumbers.put(key, key); // copied into the batch; no garbage, no native call
                if (batch.byteSize() > 1 << 19) {
                    db.write(batch);
                    batch.clear(); // its memory is used again
                }
            }
            db.write(batch);
        }
        // end::load[]
        IO.println(ENTRIES + " entries in " + (System.nanoTime() - began) / 1_000_000 + " ms");
        int[] found = new int[1];
        numbers.scan((key, value) -> ++found[0] > 0);
        check(found[0] == ENTRIES, "all entries are there");
    }
}
