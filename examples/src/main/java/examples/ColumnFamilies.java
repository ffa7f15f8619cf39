package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.BlockBasedTableOptions;
import dev.outcrop.rocksdb.Cache;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.CompressionType;
import dev.outcrop.rocksdb.FilterPolicy;
import dev.outcrop.rocksdb.LoadedOptions;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;

/** Column families with options of their own: users are looked up by key, events are kept small and read in order. */
public final class ColumnFamilies {
    public static void main(String[] args) {
        Path path = Example.directory().resolve("shop");

        // tag::options[]
        Cache cache = Cache.lru(64 << 20); // shared, so that the busier family gets more of it
        Options forUsers = new Options().compression(CompressionType.LZ4)
                .blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache)
                        .filterPolicy(FilterPolicy.bloom(10))); // 1 % of the look-ups of absent keys read a block
        Options forEvents = new Options().compression(CompressionType.ZSTD)
                .blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache).blockSize(32 << 10));
        Options forDatabase = new Options().createIfMissing(true).createMissingColumnFamilies(true)
                .blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache)); // of the family "default"

        try (RocksDB db = RocksDB.open(path, forDatabase, Map.of("users", forUsers, "events", forEvents))) {
            ColumnFamily users = db.columnFamily("users"); // there is nothing to close but the database
            users.put("alice".getBytes(UTF_8), "Alice, since 2026".getBytes(UTF_8));
            db.columnFamily("events").put("2026-11-23 alice".getBytes(UTF_8), "signed up".getBytes(UTF_8));
        }
        // end::options[]

        // tag::again[]
        try (RocksDB db = RocksDB.open(path)) { // with the options that are stored with it
            for (ColumnFamily family : db.columnFamilies()) {
                family.scan((key, value) -> {
                    IO.println(family.name() + ": " + text(key) + " -> " + text(value));
                    return true; // go on
                });
            }
            check(db.columnFamily("users").get("alice".getBytes(UTF_8)) != null, "Alice is in users");
            check(db.get("alice".getBytes(UTF_8)) == null, "Alice is not in the default family");
        }
        // end::again[]
        check(LoadedOptions.latest(path).columnFamilies().get("events").compression() == CompressionType.ZSTD,
                "events are stored small");
    }

    private static String text(MemorySegment segment) {
        return new String(segment.toArray(ValueLayout.JAVA_BYTE), UTF_8);
    }
}
