package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;

/** Prints the levels of databases. */
@SuppressWarnings("deprecation") // programs call it
@NullUnmarked // null is an argument like any other here
final class LevelsReport {

    private final Map<String, String> lines = new TreeMap<>();

    private LevelsReport() {
    }

    static Map<String, String> report(Path directory) throws RocksDBException {
        RocksDB.loadLibrary();
        LevelsReport report = new LevelsReport();
        try (Options options = new Options().setCreateIfMissing(true).setNumLevels(5).setLevel0StopWritesTrigger(77);
                TransactionDBOptions locking = new TransactionDBOptions();
                RocksDB db = RocksDB.open(options, directory.resolve("plain").toString());
                RocksDB transactions = TransactionDB.open(options, locking,
                        directory.resolve("transactions").toString())) {
            report.levels("plain", db);
            report.levels("transactions", transactions);
        }
        return report.lines;
    }

    private void levels(String name, RocksDB db) throws RocksDBException {
        try (ColumnFamilyOptions options = new ColumnFamilyOptions().setNumLevels(3);
                ColumnFamilyHandle family = db
                        .createColumnFamily(new ColumnFamilyDescriptor("family".getBytes(UTF_8), options))) {
            lines.put(name + " default", db.numberLevels() + " " + db.level0StopWriteTrigger() + " "
                    + db.maxMemCompactionLevel());
            lines.put(name + " null", db.numberLevels(null) + " " + db.level0StopWriteTrigger(null) + " "
                    + db.maxMemCompactionLevel(null));
            db.setOptions(family, MutableColumnFamilyOptions.builder().setLevel0StopWritesTrigger(99).build());
            lines.put(name + " family", db.numberLevels(family) + " " + db.level0StopWriteTrigger(family) + " "
                    + db.maxMemCompactionLevel(family));
        }
    }
}
