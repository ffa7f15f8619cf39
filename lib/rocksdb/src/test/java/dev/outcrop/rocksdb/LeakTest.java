package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The leak detector reports objects that were not closed, with their name and where they were opened, and no others. */
@Tag("verify")
class LeakTest {
    @TempDir
    private Path directory;

    /** Forgets a pinned slice, an iterator and a database, and closes others. */
    static final class Forgetter {
        private Forgetter() {
        }

        static void main(String[] arguments) throws InterruptedException {
            closeAll(Path.of(arguments[0], "closed"));
            forget(Path.of(arguments[0], "forgotten"));
            long deadline = System.nanoTime() + 60_000_000_000L;
            while (LeakDetector.leaked() < 3 && System.nanoTime() < deadline) {
                System.gc();
                Thread.sleep(10);
            }
            System.out.println("leaked " + LeakDetector.leaked());
        }

        private static RocksDB create(Path path) {
            RocksDB db = RocksDB.open(path, new Options().createIfMissing(true));
            db.put(Bytes.of("key"), new byte[10_000]);
            return db;
        }

        private static void forget(Path path) {
            RocksDB db = create(path);
            System.out.println("first " + db.iterator().seekToFirst());
            System.out.println("size " + Objects.requireNonNull(db.getPinned(Bytes.of("key"))).size());
        }

        private static void closeAll(Path path) {
            RocksDB db = create(path);
            for (int i = 0; i < 1000; i++) {
                Objects.requireNonNull(db.getPinned(Bytes.of("key"))).close();
                db.iterator().close();
                db.<Long>getPinned(Bytes.inNative(Bytes.of("key")), value -> value.byteSize());
            }
            db.close();
        }
    }

    @Test
    void unclosedObjectsAreReported() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.shortLived().option("-Doutcrop.leaks=always").run(Forgetter.class, directory);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("leaked 3")
                .contains("Leak: pinned slice of database " + directory.resolve("forgotten"))
                .contains("Leak: iterator of database " + directory.resolve("forgotten"))
                .contains("Leak: database " + directory.resolve("forgotten")).contains("Forgetter.forget(")
                .doesNotContain(directory.resolve("closed").toString());
    }
}
