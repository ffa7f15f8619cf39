package dev.outcrop.rocksdb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A full disk fails writes with its status and loses nothing acknowledged; writes work again when there is room. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class DiskFullTest extends DatabaseTest {
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
            try (RocksDB db = RocksDB.open(directory, create().writeBufferSize(1 << 20).maxWriteBufferNumber(100))) {
                written = fill(db, 0);
                check(db, written);
                // A flush that fails gives room back, in which RocksDB may go on meanwhile: until it refuses a write once more.
                written = fill(db, written);
            }
            Files.delete(filler);
            try (RocksDB db = RocksDB.open(directory)) {
                check(db, written);
                db.put(Bytes.of("more"), new byte[SIZE]);
                db.flush();
            }
        }

        private static int fill(RocksDB db, int from) {
            for (int i = from;; i++) {
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

        private static void print(RocksDBException e) {
            System.out.println(e.status().code() + " " + e.status().subCode());
        }
    }

    /** Creates databases on disks with room for nothing, for one page, and so on. */
    static final class Create {
        private Create() {
        }

        static void main(String[] arguments) throws IOException {
            Path disk = Path.of(arguments[0]);
            Path own = Files.createDirectory(disk.resolve("own"));
            Files.writeString(own.resolve("notes.txt"), "mine");
            Path filler = disk.resolve("filler");
            int failed = 0;
            for (int pages = 0;; pages++) {
                fillExcept(disk, filler, pages);
                Map<String, String> before = DirectoryImage.of(disk);
                before.remove("filler");
                int opened = 0;
                for (Path path : List.of(disk.resolve("db"), own)) {
                    try {
                        RocksDB.open(path, create().walDir(path + "/wal")).close();
                        opened++;
                    } catch (RocksDBException e) {
                        failed++;
                        Map<String, String> after = DirectoryImage.of(disk);
                        after.remove("filler");
                        if (opened == 0 && !after.equals(before)) {
                            System.out.println("left with room for " + pages + " pages: " + after.keySet());
                        }
                    }
                }
                if (opened > 0) {
                    break;
                }
            }
            Files.delete(filler);
            RocksDB.open(disk.resolve("db"), create()).close();
            System.out.println("failed " + (failed > 4));
        }

        private static void fillExcept(Path disk, Path filler, int pages) throws IOException {
            Files.deleteIfExists(filler);
            long bytes = Files.getFileStore(disk).getUsableSpace() - pages * 4096L;
            Files.write(filler, new byte[(int) bytes]);
        }
    }

    @Test
    void aFailedCreationLeavesNothing() throws Exception {
        ChildJvm.Result result = runOnOwnDisk(Create.class);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).containsExactly("failed true");
    }

    private ChildJvm.Result runOnOwnDisk(Class<?> program) throws IOException, InterruptedException {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount file systems");
        return ChildJvm.shortLived().withDisk(directory, "size=16m").run(program, directory);
    }

    @Test
    void acknowledgedWritesStayAndOthersAreRefused() throws Exception {
        ChildJvm.Result result = runOnOwnDisk(FillDisk.class);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).containsExactly("IO_ERROR NO_SPACE", "checked true", "IO_ERROR NO_SPACE",
                "checked true");
    }
}
