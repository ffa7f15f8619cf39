package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A full disk: said with its status, nothing that was acknowledged is lost, and writing goes on when there is room again. */
@EnabledOnOs(OS.LINUX)
class DiskFullTest {
    private static final String MOUNT = "mount -t tmpfs -o size=16m tmpfs \"$1\"";

    @TempDir
    private Path directory;

    /** Runs on a file system of 16 MiB of its own. */
    static final class FillDisk {
        private static final int SIZE = 100_000;

        private FillDisk() {
        }

        static void main(String[] arguments) throws IOException {
            Path disk = Path.of(arguments[0]);
            Path directory = disk.resolve("db");
            Path filler = Files.write(disk.resolve("filler"), new byte[8 << 20]);
            int written;
            // Enough memtables: a write that must wait for one to be flushed waits until there is room on the disk.
            try (RocksDB db = RocksDB.open(directory,
                    new Options().createIfMissing(true).writeBufferSize(1 << 20).maxWriteBufferNumber(100))) {
                written = fill(db);
                check(db, written);
                refuses(() -> db.put(Bytes.of("more"), new byte[SIZE]));
            }
            Files.delete(filler);
            try (RocksDB db = RocksDB.open(directory)) {
                check(db, written);
                db.put(Bytes.of("more"), new byte[SIZE]);
                db.flush();
            }
        }

        private static int fill(RocksDB db) {
            for (int i = 0;; i++) {
                try {
                    db.put(Bytes.of("key" + i), Bytes.random(i, SIZE));
                } catch (RocksDBException e) {
                    print(e);
                    return i;
                }
            }
        }

        private static void check(RocksDB db, int written) {
            for (int i = 0; i < written; i++) {
                if (!Arrays.equals(db.get(Bytes.of("key" + i)), Bytes.random(i, SIZE))) {
                    System.out.println("lost key" + i);
                }
            }
            System.out.println("checked " + (written > 20));
        }

        private static void refuses(Runnable call) {
            try {
                call.run();
                System.out.println("accepted");
            } catch (RocksDBException e) {
                print(e);
            }
        }

        private static void print(RocksDBException e) {
            System.out.println(e.status().code() + " " + e.status().subCode());
        }
    }

    @Test
    void acknowledgedWritesStayAndOthersAreRefused() throws Exception {
        assumeTrue(canMount(), "this user may not mount file systems");
        ChildJvm.Result result = ChildJvm.withNativeAccess()
                .startedBy("unshare", "--mount", "sh", "-e", "-c", MOUNT + "; shift; exec \"$@\"", "sh",
                        directory.toString())
                .run(FillDisk.class, directory);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).containsExactly("IO_ERROR NO_SPACE", "checked true", "IO_ERROR NO_SPACE",
                "checked true");
    }

    private boolean canMount() throws IOException, InterruptedException {
        return Files.isExecutable(Path.of("/usr/bin/unshare"))
                && new ProcessBuilder("unshare", "--mount", "sh", "-c", MOUNT, "sh", directory.toString())
                        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                        .waitFor() == 0;
    }
}
