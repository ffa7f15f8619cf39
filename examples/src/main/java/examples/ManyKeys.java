package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.MultiGet;
import dev.outcrop.rocksdb.MultiGetValues;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Many keys in one look-up: RocksDB reads those that lie in the same files together. Values are seen where they lie. */
public final class ManyKeys {
    public static void main(String[] args) {
        try (RocksDB db = RocksDB.open(Example.directory(), new Options().createIfMissing(true))) {
            for (int i = 0; i < 1_000; i++) {
                db.put(key(i), new byte[i]);
            }
            long found = 0;
            long bytes = 0;
            // tag::multiget[]
            try (MultiGet request = db.multiGet()) { // to be kept: one for each thread
                for (int page = 0; page < 11; page++) {
                    for (int i = 0; i < 100; i++) {
                        request.add(key(100 * page + i));
                    }
                    try (MultiGetValues values = request.execute()) {
                        for (int i = 0; i < values.size(); i++) { // in the order of the keys
                            MemorySegment value = values.get(i); // RocksDB's memory, until the values are closed
                            if (value != null) {
                                found++;
                                bytes += value.byteSize();
                            }
                        }
                    }
                    request.clear(); // and so on, with the same memory
                }
            }
            // end::multiget[]
            IO.println(found + " of 1100 keys are there, with " + bytes + " bytes");
            check(found == 1_000 && bytes == 999 * 1_000 / 2, "all values are found, and no others");

            // tag::list[]
            List<byte[]> values = db.multiGet(List.of(key(3), key(-1))); // the short form, with new arrays
            // end::list[]
            check(values.get(0).length == 3 && values.get(1) == null, "the second key is not there");
        }
    }

    private static byte[] key(int number) {
        return "%08d".formatted(number).getBytes(UTF_8);
    }
}
