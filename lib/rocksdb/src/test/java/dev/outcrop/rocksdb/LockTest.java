package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A database that is open for writing cannot be opened for writing again; the message says which process has it. */
@Tag("verify")
class LockTest extends DatabaseTest {
    /** Opens the database, says so, and waits to be killed. */
    static final class Holder {
        private Holder() {
        }

        static void main(String[] arguments) throws IOException {
            try (RocksDB db = RocksDB.open(Path.of(arguments[0]), create())) {
                db.put(Bytes.of("key"), Bytes.of("value"));
                System.out.println("open");
                System.in.read();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anotherProcessIsNamedAndNothingIsChanged() throws Exception {
        Process holder = ChildJvm.shortLived().start(Holder.class, directory);
        try (BufferedReader output = holder.inputReader()) {
            assertThat(output.readLine()).isEqualTo("open");
            Map<String, String> before = DirectoryImage.ofOpen(directory);

            RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> RocksDB.open(directory));

            assertThat(thrown).isNotNull().hasMessageContaining(directory.toString())
                    .hasMessageContaining("process " + holder.pid());
            assertThat(thrown.status().code()).isEqualTo(Status.Code.IO_ERROR);
            assertThat(RocksDB.lockHolder(directory)).hasValue(holder.pid());
            assertThat(DirectoryImage.ofOpen(directory).equals(before)).as("nothing changed").isTrue();
            try (RocksDB db = RocksDB.openReadOnly(directory, new Options())) {
                assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.of("value"));
            }
            assertThat(DirectoryImage.ofOpen(directory).equals(before)).as("nothing changed").isTrue();
        } finally {
            holder.destroyForcibly().waitFor();
        }
        assertThat(RocksDB.lockHolder(directory)).isEmpty();
        RocksDB db = closeLater(RocksDB.open(directory));
        assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.of("value"));
    }

    @Test
    void thisProcessIsNamedAndKeepsItsLock() throws Exception {
        try (RocksDB db = open()) {
            Map<String, String> before = DirectoryImage.ofOpen(directory);
            for (int i = 0; i < 3; i++) {
                RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> RocksDB.open(directory));
                assertThat(thrown).isNotNull().hasMessageContaining(directory.toString());
            }
            assertThat(DirectoryImage.ofOpen(directory).equals(before)).as("nothing changed").isTrue();
            db.put(Bytes.of("still"), Bytes.of("writable"));

            // POSIX locks are lost when their process closes any descriptor of the file: another process must still be kept out.
            ChildJvm.Result other = ChildJvm.shortLived().run(Holder.class, directory);
            assertThat(other.exitCode()).as(other.output()).isNotZero();
            assertThat(other.output()).contains("RocksDBException", directory.toString());
        }
        RocksDB.open(directory).close();
    }
}
