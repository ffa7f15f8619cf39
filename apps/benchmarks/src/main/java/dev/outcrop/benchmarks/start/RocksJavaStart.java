package dev.outcrop.benchmarks.start;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The same program on {@code org.rocksdb}, for the published jar and for ours. */
final class RocksJavaStart {
    private RocksJavaStart() {
    }

    public static void main(String[] args) throws IOException, RocksDBException {
        RocksDB.loadLibrary();
        try (RocksDB db = RocksDB.open(args[0])) {
            byte[] value = Objects.requireNonNull(db.get(HexFormat.of().parseHex(args[1])));
            System.out.println(value.length + value[0]);
            if (System.in.read() >= 0) {
                throw new IllegalStateException("There is no input");
            }
        }
    }
}
