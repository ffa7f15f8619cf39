package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;

/** Without assertions, buffers that cannot be used are refused with the exceptions of the published jar. */
@Tag("verify")
class HeapBuffersTest {
    @TempDir
    Path directory;

    @Test
    void buffersAreRefusedAsPublished() throws Exception {
        String direct = " argument (argument is not a valid direct ByteBuffer)";
        assertThat(ChildJvm.shortLived().lines(Program.class, directory)).containsExactly(
                "org.rocksdb.RocksDBException: Invalid key" + direct,
                "org.rocksdb.RocksDBException: Invalid key" + direct,
                "org.rocksdb.RocksDBException: Invalid value" + direct,
                "java.nio.ReadOnlyBufferException", "java.nio.ReadOnlyBufferException");
    }

    /** Prints the exceptions. */
    static final class Program {
        private Program() {
        }

        public static void main(String[] arguments) throws Exception {
            byte[] key = "key".getBytes(StandardCharsets.UTF_8);
            ByteBuffer heap = ByteBuffer.wrap(key);
            ByteBuffer direct = ByteBuffer.allocateDirect(3);
            try (RocksDB db = RocksDB.open(arguments[0]); RocksIterator iterator = db.newIterator()) {
                db.put(key, key);
                iterator.refresh();
                iterator.seekToFirst();
                print(() -> db.keyMayExist(heap));
                print(() -> db.keyMayExist(heap, direct));
                print(() -> db.keyMayExist(heap, heap));
                print(() -> iterator.key(heap.asReadOnlyBuffer()));
                print(() -> iterator.value(heap.asReadOnlyBuffer()));
            }
        }

        private static void print(Runnable call) {
            try {
                call.run();
                System.out.println("nothing");
            } catch (Exception e) {
                System.out.println(e);
            }
        }
    }
}
