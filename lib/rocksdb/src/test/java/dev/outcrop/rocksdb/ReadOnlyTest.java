package dev.outcrop.rocksdb;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A database opened for reading shows the state at its opening beside a writer, refuses writes, and leaves no trace. */
class ReadOnlyTest extends DatabaseTest {
    @Test
    void showsTheDatabaseAsItWasAndWritesNothing() throws InterruptedException {
        RocksDB writer = open();
        writer.put(KEY, VALUE);
        writer.flush();
        writer.put(Bytes.of("in the log"), VALUE);
        awaitEndOfOldLog();
        Map<String, String> before = DirectoryImage.ofOpen(directory);
        RocksDB reader = closeLater(RocksDB.openReadOnly(directory, new Options()));
        RocksDB another = closeLater(RocksDB.openReadOnly(directory, new Options()));
        for (ReadForm form : ReadForm.values()) {
            assertThat(form.read(reader, KEY)).isEqualTo(VALUE);
            assertThat(form.read(another, Bytes.of("in the log"))).isEqualTo(VALUE);
        }
        assertThat(DirectoryImage.ofOpen(directory).equals(before)).as("nothing changed").isTrue();

        writer.put(KEY, Bytes.of("new"));
        writer.delete(Bytes.of("in the log"));
        writer.flush();
        writer.compact();

        assertThat(reader.get(KEY)).isEqualTo(VALUE);
        assertThat(reader.get(Bytes.of("in the log"))).isEqualTo(VALUE);
    }

    /** The writer deletes the log of what it has flushed some time afterwards, in the background. */
    private void awaitEndOfOldLog() throws InterruptedException {
        while (Objects.requireNonNull(directory.toFile().list((_, name) -> name.endsWith(".log"))).length > 1) {
            Thread.sleep(10);
        }
    }

    @Test
    void recordsReadFromTheLogAreNotFlushed() {
        try (RocksDB writer = open()) {
            writer.put(KEY, VALUE);
        }
        Map<String, String> before = DirectoryImage.of(directory);
        try (RocksDB db = RocksDB.openReadOnly(directory, new Options())) {
            assertThat(db.get(KEY)).isEqualTo(VALUE);
            RocksDBException thrown = catchThrowableOfType(RocksDBException.class,
                    () -> db.flush(List.of(db.defaultColumnFamily()), new FlushOptions().forceAtomicFlush(true)));
            assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED);
        }
        assertThat(DirectoryImage.of(directory).equals(before)).as("nothing changed").isTrue();
    }

    @Test
    void everyWriteIsNotSupported() {
        RocksDB.open(directory, create().mergeOperator(MergeOperator.STRING_APPEND)).close();
        Map<String, String> before = DirectoryImage.of(directory);
        try (RocksDB db = RocksDB.openReadOnly(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND))) {
            List<ThrowingCallable> writes = List.of(() -> db.put(KEY, VALUE), () -> db.delete(KEY),
                    () -> db.singleDelete(KEY), () -> db.deleteRange(KEY, VALUE), () -> db.merge(KEY, VALUE), db::flush,
                    db::compact,
                    () -> db.createColumnFamily("more", new Options()),
                    () -> db.with(new WriteOptions().sync(true)).put(KEY, VALUE));
            for (ThrowingCallable write : writes) {
                RocksDBException thrown = catchThrowableOfType(RocksDBException.class, write);
                assertThat(thrown).isNotNull();
                assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED);
                assertThat(thrown.status().subCode()).isEqualTo(Status.SubCode.NONE);
            }
            assertThat(db.get(KEY)).isNull();
        }
        assertThat(DirectoryImage.of(directory).equals(before)).as("nothing changed").isTrue();
    }
}
