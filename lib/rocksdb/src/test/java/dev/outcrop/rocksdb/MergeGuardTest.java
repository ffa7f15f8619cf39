package dev.outcrop.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database with merges is not opened without a merge operator: RocksDB would lose the merges in its log, and crash on reading
 * those in its table files.
 */
class MergeGuardTest extends DatabaseTest {
    private void create(boolean isFlushed) {
        // Not flushed by closing, so that without a flush the merges are in the log.
        try (RocksDB db = open(create().avoidFlushDuringShutdown(true).mergeOperator(MergeOperator.STRING_APPEND))) {
            db.merge(KEY, Bytes.of("a"));
            db.merge(KEY, Bytes.of("b"));
            if (isFlushed) {
                db.flush();
            }
        }
    }

    private void assertRefused(String reason, ThrowingCallable opening) {
        Map<String, String> before = DirectoryImage.of(directory);
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, opening);
        assertThat(thrown).isNotNull().hasMessageContaining(directory.toString()).hasMessageContaining(reason)
                .hasMessageContaining("mergeOperator");
        assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(DirectoryImage.of(directory).equals(before)).as("nothing changed").isTrue();
    }

    @Test
    void theOptionsThatAreStoredSayThatThereMayBeMerges() {
        for (boolean isFlushed : new boolean[]{false, true}) {
            create(isFlushed);

            assertRefused("StringAppendOperator", () -> RocksDB.open(directory, new Options()));
            assertRefused("StringAppendOperator", () -> RocksDB.openReadOnly(directory, new Options()));
            assertRefused("StringAppendOperator", () -> RocksDB.open(directory,
                    new Options().mergeOperator(MergeOperator.MAX).set("merge_operator=nullptr")));
        }
        RocksDB db = closeLater(RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND)));
        assertThat(db.get(KEY)).asString().isEqualTo("a,b,a,b");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withoutStoredOptionsTheDatabaseItselfSaysIt(boolean isFlushed) throws IOException {
        create(isFlushed);
        Files.delete(DirectoryImage.file(directory, "OPTIONS-.*"));

        for (int i = 0; i < 2; i++) {
            assertRefused("merges", () -> RocksDB.open(directory, new Options()));
            assertRefused("merges", () -> RocksDB.openReadOnly(directory, new Options()));
        }
        assertRefused("merges", () -> RocksDB.open(directory,
                new Options().paranoidChecks(false).walRecoveryMode(WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS)));
        RocksDB db = closeLater(RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND)));
        assertThat(db.get(KEY)).asString().isEqualTo("a,b");
    }

    @Test
    void mergesBeforeATornRecordInTheLogAreFound() throws IOException {
        create(false);
        Files.delete(DirectoryImage.file(directory, "OPTIONS-.*"));
        DirectoryImage.cut(DirectoryImage.file(directory, "\\d+\\.log"), 3);

        assertRefused("merges", () -> RocksDB.open(directory, new Options()));
    }

    @Test
    void withoutStoredOptionsADatabaseWithoutMergesOpens() throws IOException {
        for (boolean isFlushed : new boolean[]{false, true}) {
            try (RocksDB db = RocksDB.open(directory, create().avoidFlushDuringShutdown(true))) {
                db.put(KEY, Bytes.of("value"));
                db.put(Bytes.of("torn"), Bytes.of("value"));
                if (isFlushed) {
                    db.flush();
                }
            }
            Files.delete(DirectoryImage.file(directory, "OPTIONS-.*"));
            if (!isFlushed) {
                DirectoryImage.cut(DirectoryImage.file(directory, "\\d+\\.log"), 3);
            }
            Map<String, String> before = DirectoryImage.of(directory);
            try (RocksDB db = RocksDB.openReadOnly(directory, new Options())) {
                assertThat(db.get(KEY)).isEqualTo(Bytes.of("value"));
            }
            assertThat(DirectoryImage.of(directory).equals(before)).as("nothing changed").isTrue();
            try (RocksDB db = RocksDB.open(directory)) {
                assertThat(db.get(KEY)).isEqualTo(Bytes.of("value"));
            }
        }
    }

    @Test
    void anyWayToSetTheOperatorCounts() {
        RocksDB.open(directory, create().uint64addMergeOperator()).close();

        RocksDB.open(directory, new Options().set("max_open_files=99;merge_operator={id=uint64add}")).close();
        RocksDB.open(directory, new Options().mergeOperator(MergeOperator.UINT64_ADD)).close();
        assertRefused("UInt64AddOperator", () -> RocksDB.open(directory, new Options()));
    }

    @Test
    void aDatabaseThatNeverHadAnOperatorNeedsNone() {
        RocksDB.open(directory, create()).close();
        RocksDB.open(directory).close();
        RocksDB.open(directory, new Options().mergeOperator(MergeOperator.PUT)).close();
        RocksDB.open(directory, new Options().mergeOperator(MergeOperator.PUT).set("max_open_files=100")).close();
    }
}
