package examples;

import static examples.Example.check;

import dev.outcrop.rocksdb.BlockBasedTableOptions;
import dev.outcrop.rocksdb.FilterPolicy;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.KeyValueReader;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.ReadOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.SliceTransform;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Entries that belong together have keys that begin alike: a customer's orders, the oldest first or the newest. */
public final class PrefixScan {
    /** Big-endian, so that the order of the bytes is the order of the numbers. */
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    public static void main(String[] args) {
        // tag::options[]
        Options options = new Options().createIfMissing(true)
                .prefixExtractor(SliceTransform.fixedPrefix(Long.BYTES)) // the customer
                .memtablePrefixBloomSizeRatio(0.1) // a filter of prefixes for memtables
                .blockBasedTableFactory(new BlockBasedTableOptions().filterPolicy(FilterPolicy.bloom(10))); // and for files
        // end::options[]
        try (RocksDB db = RocksDB.open(Example.directory(), options)) {
            for (long customer = 1; customer <= 100; customer++) {
                for (long order = 1; order <= 50; order++) {
                    db.put(key(customer, order), value(customer * order));
                }
            }

            // tag::scan[]
            KeyRange customer = KeyRange.prefix(ByteBuffer.allocate(Long.BYTES).putLong(42).array());
            // Each scan is of one prefix, so that what does not have it can be passed over.
            KeyValueReader orders = db.with(new ReadOptions().prefixSameAsStart(true));
            long[] total = new long[1];
            orders.scan(customer, (key, value) -> {
                total[0] += value.get(LONG, 0); // in RocksDB's memory; the segment ends with the call
                return true; // go on
            });

            List<Long> newest = new ArrayList<>();
            db.scan(customer.reversed(), (key, value) -> {
                newest.add(key.get(LONG, Long.BYTES));
                return newest.size() < 3;
            });
            // end::scan[]

            IO.println("Customer 42 has spent " + total[0] + "; the newest orders are " + newest);
            check(total[0] == 42 * 50 * 51 / 2, "all orders of customer 42 are there, and no others");
            check(newest.equals(List.of(50L, 49L, 48L)), "the newest come first");
        }
    }

    private static byte[] key(long customer, long order) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(customer).putLong(order).array();
    }

    private static byte[] value(long amount) {
        return ByteBuffer.allocate(Long.BYTES).putLong(amount).array();
    }
}
