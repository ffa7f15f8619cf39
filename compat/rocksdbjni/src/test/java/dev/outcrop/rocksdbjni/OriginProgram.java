package dev.outcrop.rocksdbjni;

import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Opens a database, and prints the version of RocksDB, and what says that the classes are Outcrop's. */
final class OriginProgram {

    private OriginProgram() {
    }

    static void main(String[] arguments) throws RocksDBException {
        RocksDB.loadLibrary();
        for (int i = 0; i < 2; i++) {
            try (Options options = new Options().setCreateIfMissing(true);
                    RocksDB db = RocksDB.open(options, Path.of(arguments[0], "db").toString())) {
                db.put(new byte[]{1}, new byte[]{2});
            }
        }
        System.out.println("version " + RocksDB.rocksdbVersion());
        System.out.println("outcrop " + System.getProperty("outcrop.rocksdbjni"));
        System.out.println("from " + RocksDB.class.getProtectionDomain().getCodeSource().getLocation());
    }
}
