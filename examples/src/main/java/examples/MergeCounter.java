package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Counters that any number of threads increment: a merge is a write, so nothing is read, locked or tried again. */
public final class MergeCounter {
    private static final int THREADS = 4;
    private static final int VISITS = 10_000;

    public static void main(String[] args) {
        // tag::merge[]
        Options options = new Options().createIfMissing(true).mergeOperator(MergeOperator.UINT64_ADD);
        try (RocksDB db = RocksDB.open(Example.directory(), options)) {
            byte[] page = "/index.html".getBytes(UTF_8);
            byte[] one = number(1);
            try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
                for (int i = 0; i < THREADS; i++) {
                    threads.execute(() -> {
                        for (int visit = 0; visit < VISITS; visit++) {
                            db.merge(page, one);
                        }
                    });
                }
            }
            long visits = number(db.get(page)); // RocksDB adds up what was merged
            IO.println(visits + " visits");
            check(visits == THREADS * VISITS, "no visit was lost");
        }
        // end::merge[]
    }

    // tag::number[]
    /** As the operator wants it: 8 bytes, little-endian. */
    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }

    private static long number(byte[] value) {
        return value == null ? 0 : ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
    // end::number[]
}
