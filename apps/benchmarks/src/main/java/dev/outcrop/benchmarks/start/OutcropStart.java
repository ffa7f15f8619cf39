package dev.outcrop.benchmarks.start;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;

/** A short program on Outcrop's own API. The arguments are a database and a key in hex. */
final class OutcropStart {
    private OutcropStart() {
    }

    public static void main(String[] args) throws IOException {
        try (RocksDB db = RocksDB.open(Path.of(args[0]), new Options())) {
            byte[] value = Objects.requireNonNull(db.get(HexFormat.of().parseHex(args[1])));
            // No text is concatenated, because that would take longer than the get.
            System.out.println(value.length + value[0]);
            // Wait until the parent has measured the memory and closes the input.
            if (System.in.read() >= 0) {
                throw new IllegalStateException("There is no input");
            }
        }
    }
}
