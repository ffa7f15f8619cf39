package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process with little address space opens databases. */
@Tag("verify")
@EnabledOnOs(OS.LINUX)
class AddressSpaceTest {
    @TempDir
    private Path directory;

    /** Writes a value that there is no memory for, and then another one. */
    static final class Large {
        private Large() {
        }

        static void main(String[] arguments) {
            try (RocksDB db = RocksDB.open(Path.of(arguments[0]), new Options().createIfMissing(true))) {
                byte[] key = Bytes.of("key");
                db.put(key, key);
                byte[] large = new byte[200 << 20];
                try {
                    for (int i = 0; i < 20; i++) {
                        db.put(Bytes.of("large" + i), large);
                    }
                } catch (RocksDBException e) {
                    System.out.println(e.status().subCode() + " " + e.getMessage());
                }
                System.out.println(Arrays.equals(db.get(key), key));
            }
        }
    }

    @Test
    void aLargeEntryIsRefused() throws Exception {
        ChildJvm.Result result = ChildJvm.shortLived()
                .startedBy("sh", "-c", "ulimit -v 3600000; exec \"$0\" \"$@\"").run(Large.class, directory);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("MEMORY_LIMIT", "ulimit -v").endsWith("true\n");
    }
}
