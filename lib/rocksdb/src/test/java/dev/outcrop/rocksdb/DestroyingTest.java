package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A directory is not destroyed while a database of this process writes an info log there, which would end the process. */
@Tag("verify")
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DestroyingTest extends DatabaseTest {
    /** How often a database is opened. */
    private static final int ROUNDS = TestSize.choose("outcrop.destroying.rounds", 20, 300);

    /** The databases to open repeatedly in the directory that is destroyed. */
    enum Opened {
        DATABASE {
            @Override
            RocksDB open(Path primary, Path destroyed, Options options) {
                return RocksDB.open(destroyed, options);
            }
        },
        TRANSACTIONS {
            @Override
            RocksDB open(Path primary, Path destroyed, Options options) {
                return TransactionDB.open(destroyed, options);
            }
        },
        SECONDARY {
            @Override
            RocksDB open(Path primary, Path destroyed, Options options) {
                return RocksDB.openSecondary(primary, destroyed, options, Map.of());
            }
        };

        abstract RocksDB open(Path primary, Path destroyed, Options options);
    }

    @Test
    void aSecondaryInstanceKeepsItsDirectory() throws IOException {
        RocksDB.open(directory.resolve("db"), create()).close();
        Path own = directory.resolve("own");
        // A database that was left there.
        RocksDB.open(own, create()).close();
        try (RocksDB _ = RocksDB.openSecondary(directory.resolve("db"), own, new Options())) {
            assertThatExceptionOfType(RocksDBException.class)
                    .isThrownBy(() -> RocksDB.destroy(own.resolve("../own"), new Options()))
                    .withMessageContaining(own.toString()).withMessageContaining("secondary instance")
                    .satisfies(e -> assertThat(e.status().code()).isEqualTo(Status.Code.BUSY));
            Path link = Files.createSymbolicLink(directory.resolve("link"), own);
            assertThatExceptionOfType(RocksDBException.class)
                    .isThrownBy(() -> RocksDB.destroy(link, new Options())).withMessageContaining("secondary instance");
            assertThat(own.resolve("LOG")).exists();
        }
        RocksDB.destroy(own, new Options());
        assertThat(own).doesNotExist();
    }

    /** Each line of the info log begins a new file. */
    @ParameterizedTest
    @EnumSource
    void openingAndDestroyingMayRace(Opened opened) throws Exception {
        Options options = create().maxLogFileSize(1);
        Path primary = directory.resolve("db");
        Path destroyed = directory.resolve("destroyed");
        RocksDB.open(primary, create()).close();
        AtomicBoolean hasEnded = new AtomicBoolean();
        Thread destroying = Thread.ofPlatform().daemon().start(() -> {
            while (!hasEnded.get()) {
                try {
                    RocksDB.destroy(destroyed, options);
                } catch (RocksDBException e) {
                    // It is open, or not there.
                }
            }
        });
        int open = 0;
        while (open < ROUNDS) {
            try {
                opened.open(primary, destroyed, options).close();
                open++;
            } catch (RocksDBException e) {
                // It is being destroyed.
            }
        }
        hasEnded.set(true);
        destroying.join();
    }
}
