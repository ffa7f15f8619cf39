package dev.outcrop.rocksdbjni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.LRUCache;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.Statistics;
import org.rocksdb.WriteOptions;

/** The first calls of a program, each made twice: prints each failure, without its cause, or that all works. */
final class FirstUses {

    private static final List<Callable<?>> USES = List.of(() -> {
        RocksDB.loadLibrary();
        return "";
    }, () -> {
        NativeLibraryLoader.getInstance().loadLibrary(null);
        return "";
    }, Options::new, WriteOptions::new, ReadOptions::new, () -> new LRUCache(1 << 20), DBOptions::new,
            Statistics::new, Env::getDefault, RocksDB::rocksdbVersion, FirstUses::open);

    private FirstUses() {
    }

    static void main() {
        int failed = 0;
        for (Callable<?> use : USES) {
            failed += fails(use) + fails(use);
        }
        System.out.println(failed == 0 ? "all works" : failed + " failed");
    }

    private static int fails(Callable<?> use) {
        try {
            Object made = use.call();
            return made == null ? 1 : 0;
        } catch (Throwable e) {
            System.out.println("failed: " + e.getClass().getSimpleName() + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            return 1;
        }
    }

    private static String open() throws Exception {
        Path directory = Files.createTempDirectory("first");
        try (Options options = new Options().setCreateIfMissing(true)) {
            try (RocksDB db = RocksDB.open(options, directory.toString())) {
                db.put(new byte[]{1}, new byte[]{2});
            }
            RocksDB.destroyDB(directory.toString(), options);
        } finally {
            Files.deleteIfExists(directory);
        }
        return "";
    }
}
