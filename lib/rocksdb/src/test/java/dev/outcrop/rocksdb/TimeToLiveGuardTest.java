package dev.outcrop.rocksdb;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Values with and without a timestamp at their end are never mistaken for each other. */
class TimeToLiveGuardTest extends DatabaseTest {
    private final Options options = create().createMissingColumnFamilies(true);

    private RocksDB openWithTtl(Options with) {
        return RocksDB.openWithTtl(directory, with, Duration.ofDays(1));
    }

    private void assertRefused(ThrowingCallable opening, String advice) throws IOException {
        Map<String, String> before = DirectoryImage.of(directory);
        assertThatThrownBy(opening).isInstanceOf(RocksDBException.class).hasMessageContaining(directory.toString())
                .hasMessageContaining(advice);
        assertThat(DirectoryImage.of(directory).equals(before)).as("nothing changed").isTrue();
    }

    private void assertOpensWithTtlOnly(Options with) throws IOException {
        List<ThrowingCallable> others = List.of(() -> RocksDB.open(directory, with), () -> RocksDB.open(directory),
                () -> RocksDB.openReadOnly(directory, with),
                () -> RocksDB.openSecondary(directory, directory.resolveSibling("second"), with),
                () -> TransactionDB.open(directory, with), () -> OptimisticTransactionDB.open(directory, with));
        for (ThrowingCallable each : others) {
            assertRefused(each, "RocksDB.openWithTtl");
        }
        try (RocksDB db = openWithTtl(with)) {
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
    }

    @Test
    void withATimeOpensOnlyWithATime() throws Exception {
        try (RocksDB db = openWithTtl(options)) {
            db.put(KEY, KEY);
        }
        assertOpensWithTtlOnly(options);
    }

    @Test
    void alsoWithFiltersAndMergeOperators() throws Exception {
        for (Options with : List.of(options.copy().compactionFilter((_, _, _, _) -> CompactionFilter.Decision.KEEP),
                options.copy().compactionFilterFactory(_ -> null),
                options.copy().mergeOperator(MergeOperator.STRING_APPEND))) {
            try (RocksDB db = openWithTtl(with)) {
                db.put(KEY, KEY);
            }
            assertOpensWithTtlOnly(with);
            RocksDB.destroy(directory, with);
        }
    }

    @Test
    void withoutATimeOpensOnlyWithoutOne() throws Exception {
        try (RocksDB db = RocksDB.open(directory, options)) {
            db.put(KEY, KEY);
        }
        assertRefused(() -> openWithTtl(options), "last opened without a time to live");
        RocksDB db = closeLater(RocksDB.open(directory, options));
        assertThat(db.get(KEY)).isEqualTo(KEY);
    }

    @Test
    void anotherFilterOfALikeNameIsNoMark() throws Exception {
        CompactionFilter named = new CompactionFilter() {
            @Override
            public Decision filter(int level, java.lang.foreign.MemorySegment key,
                    java.lang.foreign.MemorySegment value,
                    ValueSink newValue) {
                return Decision.KEEP;
            }

            @Override
            public String name() {
                return "com.example.TtlCompactionFilter";
            }
        };
        Options with = options.copy().compactionFilter(named);
        try (RocksDB db = RocksDB.open(directory, with)) {
            db.put(KEY, KEY);
        }
        try (RocksDB db = RocksDB.open(directory, with)) {
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
        assertRefused(() -> openWithTtl(with), "last opened without a time to live");
    }

    @Test
    void aDatabaseWithoutStoredOptionsOpensWithThoseOfTheCaller() throws Exception {
        try (RocksDB db = openWithTtl(options)) {
            db.put(KEY, KEY);
        }
        deleteOptions();
        try (RocksDB db = openWithTtl(options)) {
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
        deleteOptions();
        RocksDB db = closeLater(RocksDB.openReadOnly(directory, options));
        assertThat(db.get(KEY)).hasSize(KEY.length + 4);
    }

    private void deleteOptions() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "OPTIONS-*")) {
            for (Path each : files) {
                Files.delete(each);
            }
        }
    }

    @Test
    void aCheckpointCanBeReadWhileItIsOpen() {
        RocksDB db = closeLater(openWithTtl(options));
        db.put(KEY, KEY);
        Path checkpoint = directory.resolve("checkpoint");
        db.checkpoint(checkpoint);
        RocksDB copy = closeLater(RocksDB.openWithTtl(checkpoint, options, Duration.ofDays(1)));
        assertThat(copy.get(KEY)).isEqualTo(KEY);
    }
}
