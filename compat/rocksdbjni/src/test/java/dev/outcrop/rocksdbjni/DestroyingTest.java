package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;

/** A directory is not destroyed while a database of this process writes an info log there, which would end the process. */
@Tag("verify")
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DestroyingTest extends DatabaseTest {
    /** How often a database is opened. */
    private static final int ROUNDS = TestSize.choose("outcrop.destroying.rounds", 20, 300);

    /** The databases to open repeatedly. The last one is a secondary instance in the directory of its primary. */
    enum Opened {
        DATABASE,
        TRANSACTIONS,
        SECONDARY,
        SECONDARY_IN_PLACE
    }

    @Test
    void aSecondaryInstanceKeepsItsDirectory() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true));
        RocksDB.open(options, path()).close();
        // A database that was left there.
        RocksDB.open(options, path("own")).close();
        try (RocksDB _ = RocksDB.openAsSecondary(options, path(), path("own"))) {
            assertThatExceptionOfType(RocksDBException.class)
                    .isThrownBy(() -> RocksDB.destroyDB(path("db/../own"), options))
                    .withMessageContaining("secondary instance")
                    .satisfies(e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.IOError));
            assertThat(Path.of(path("own"), "LOG")).exists();
        }
        RocksDB.destroyDB(path("own"), options);
        assertThat(Path.of(path("own"))).doesNotExist();
    }

    /** Each line of the info log begins a new file. */
    @ParameterizedTest
    @EnumSource
    void openingAndDestroyingMayRace(Opened opened) throws Exception {
        Options options = closeLater(new Options().setCreateIfMissing(true).setMaxLogFileSize(1));
        TransactionDBOptions locking = closeLater(new TransactionDBOptions());
        String destroyed = opened == Opened.SECONDARY_IN_PLACE ? path() : path("destroyed");
        AtomicBoolean hasEnded = new AtomicBoolean();
        Thread destroying = Thread.ofPlatform().daemon().start(() -> {
            while (!hasEnded.get()) {
                try {
                    RocksDB.destroyDB(destroyed, options);
                } catch (RocksDBException e) {
                    // It is open.
                }
            }
        });
        int open = 0;
        while (open < ROUNDS) {
            try {
                if (opened == Opened.SECONDARY || opened == Opened.SECONDARY_IN_PLACE) {
                    RocksDB.open(options, path()).close();
                }
                switch (opened) {
                    case DATABASE -> RocksDB.open(options, destroyed).close();
                    case TRANSACTIONS -> TransactionDB.open(options, locking, destroyed).close();
                    case SECONDARY, SECONDARY_IN_PLACE ->
                        RocksDB.openAsSecondary(options, path(), destroyed).close();
                }
                open++;
            } catch (RocksDBException e) {
                // It is being destroyed.
            }
        }
        hasEnded.set(true);
        destroying.join();
    }
}
