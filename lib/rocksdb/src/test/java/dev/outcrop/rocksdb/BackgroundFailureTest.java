package dev.outcrop.rocksdb;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** An exception that a comparator threw in the background is the cause of the next call's exception. */
@Tag("verify")
class BackgroundFailureTest extends DatabaseTest {
    private static final int KEYS = 500;

    private volatile boolean fails;

    /** Fails in RocksDB's own threads only. */
    @Override
    RocksDB open(Options options) {
        Thread own = Thread.currentThread();
        return RocksDB.open(directory.resolve("database"), options.createIfMissing(true).disableAutoCompactions(true)
                .comparator(KeyComparator.of("failing", (a, b) -> {
                    if (fails && !own.equals(Thread.currentThread())) {
                        throw new ArithmeticException("on purpose");
                    }
                    return a.asByteBuffer().compareTo(b.asByteBuffer());
                })));
    }

    private static void fill(RocksDB db) {
        for (int i = 0; i < KEYS; i++) {
            db.put(Bytes.of("key" + i), Bytes.of("value"));
        }
    }

    private static void check(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOfAny(RocksDBException.class, IllegalStateException.class);
        assertThat(thrown.getCause()).as(thrown.toString()).isInstanceOf(ArithmeticException.class);
    }

    @RepeatedTest(4)
    void aFlush() {
        RocksDB db = closeLater(open(new Options()));
        fill(db);
        fails = true;
        check(db::flush);
        check(db::flush);
    }

    @RepeatedTest(4)
    void aFlushOfSeveralFamilies() {
        RocksDB db = closeLater(open(new Options().atomicFlush(true)));
        fill(db);
        fails = true;
        check(() -> db.flush(List.of(db.defaultColumnFamily()), new FlushOptions()));
    }

    @RepeatedTest(4)
    void aCompaction() {
        RocksDB db = closeLater(open(new Options()));
        for (int i = 0; i < 3; i++) {
            fill(db);
            db.flush();
        }
        fails = true;
        check(db::compact);
        check(db::compact);
    }

    @RepeatedTest(4)
    void aWrite() {
        RocksDB db = closeLater(open(new Options().writeBufferSize(64 << 10).maxWriteBufferNumber(2)));
        fails = true;
        check(() -> {
            for (int i = 0; i < 100_000; i++) {
                db.put(Bytes.of("key" + i), new byte[1000]);
            }
        });
    }

    @RepeatedTest(4)
    void aBatch() {
        RocksDB db = closeLater(open(new Options().writeBufferSize(64 << 10).maxWriteBufferNumber(2)));
        fails = true;
        check(() -> {
            for (int i = 0; i < 100_000; i++) {
                WriteBatch batch = new WriteBatch();
                batch.put(Bytes.of("key" + i), new byte[1000]);
                db.write(batch);
            }
        });
    }
}
