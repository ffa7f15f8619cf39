package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Table filters written in Java. */
class TableFilterTest extends DatabaseTest {
    {
        closeLater(new CallbackLog());
    }
    private static List<String> keys(RocksDB db, Predicate<TableProperties> filter) {
        List<String> keys = new ArrayList<>();
        db.with(new ReadOptions().tableFilter(filter)).scan((key, _) -> keys.add(text(key)));
        return keys;
    }

    /** Two files: of one entry, and of two. */
    @Override
    RocksDB open() {
        RocksDB db = RocksDB.open(directory, create().disableAutoCompactions(true));
        db.put(Bytes.of("a"), Bytes.of("1"));
        db.flush();
        db.put(Bytes.of("b"), Bytes.of("2"));
        db.put(Bytes.of("c"), Bytes.of("3"));
        db.flush();
        return db;
    }

    @Test
    void onlyTheFilesThatItWantsAreRead() {
        RocksDB db = closeLater(open());
        assertThat(keys(db, _ -> true)).containsExactly("a", "b", "c");
        assertThat(keys(db, properties -> properties.numEntries() == 1)).containsExactly("a");
        assertThat(keys(db, properties -> properties.numEntries() == 2)).containsExactly("b", "c");
        assertThat(keys(db, _ -> false)).isEmpty();
    }

    @Test
    void itsExceptionsReachTheCaller() {
        RuntimeException failure = new IllegalStateException("on purpose");
        RocksDB db = closeLater(open());
        assertThatThrownBy(() -> keys(db, _ -> {
            throw failure;
        })).isSameAs(failure);
        assertThat(keys(db, _ -> true)).hasSize(3);
    }

    @Test
    void optionsInUseCannotGetOne() {
        RocksDB db = closeLater(open());
        ReadOptions used = new ReadOptions();
        db.with(used);
        assertThatThrownBy(() -> used.tableFilter(_ -> true)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theLastOneCounts() {
        int before = Callbacks.count();
        ReadOptions options = new ReadOptions().tableFilter(_ -> false).tableFilter(_ -> true);
        // Callbacks of earlier tests may be collected meanwhile.
        assertThat(Callbacks.count()).isLessThanOrEqualTo(before + 1);
        RocksDB db = closeLater(open());
        List<String> keys = new ArrayList<>();
        db.with(options).scan((key, _) -> keys.add(text(key)));
        assertThat(keys).hasSize(3);
    }
}
