package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Java object decides which table files are read. */
class TableFilterTest {
    private final CallbackLog log = new CallbackLog();
    @TempDir
    private Path directory;

    @AfterEach
    void closeLog() {
        log.close();
    }

    private static List<String> keys(RocksDB db, Predicate<TableProperties> filter) {
        List<String> keys = new ArrayList<>();
        db.with(new ReadOptions().tableFilter(filter)).scan((key, _) -> keys.add(KeyComparatorTest.text(key)));
        return keys;
    }

    /** Two files: of one entry, and of two. */
    private RocksDB open() {
        RocksDB db = RocksDB.open(directory, new Options().createIfMissing(true).disableAutoCompactions(true));
        db.put(Bytes.of("a"), Bytes.of("1"));
        db.flush();
        db.put(Bytes.of("b"), Bytes.of("2"));
        db.put(Bytes.of("c"), Bytes.of("3"));
        db.flush();
        return db;
    }

    @Test
    void onlyTheFilesThatItWantsAreRead() {
        try (RocksDB db = open()) {
            assertThat(keys(db, _ -> true)).containsExactly("a", "b", "c");
            assertThat(keys(db, properties -> properties.numEntries() == 1)).containsExactly("a");
            assertThat(keys(db, properties -> properties.numEntries() == 2)).containsExactly("b", "c");
            assertThat(keys(db, _ -> false)).isEmpty();
        }
    }

    @Test
    void whatItThrowsReachesTheCaller() {
        RuntimeException failure = new IllegalStateException("on purpose");
        try (RocksDB db = open()) {
            assertThatThrownBy(() -> keys(db, _ -> {
                throw failure;
            })).isSameAs(failure);
            assertThat(keys(db, _ -> true)).hasSize(3);
        }
    }

    @Test
    void optionsInUseCannotGetOne() {
        try (RocksDB db = open()) {
            ReadOptions used = new ReadOptions();
            db.with(used);
            assertThatThrownBy(() -> used.tableFilter(_ -> true)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void theLastOneCounts() {
        int before = Callbacks.count();
        ReadOptions options = new ReadOptions().tableFilter(_ -> false).tableFilter(_ -> true);
        assertThat(Callbacks.count()).isEqualTo(before + 1);
        try (RocksDB db = open()) {
            List<String> keys = new ArrayList<>();
            db.with(options).scan((key, _) -> keys.add(KeyComparatorTest.text(key)));
            assertThat(keys).hasSize(3);
        }
    }
}
