package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Entries that expire: RocksDB drops them some time after they were written, when a compaction meets them. */
public final class TimeToLive {
    public static void main(String[] args) throws InterruptedException {
        Path path = Example.directory().resolve("logins");
        byte[] alice = "alice".getBytes(UTF_8);
        // tag::ttl[]
        Options options = new Options().createIfMissing(true).createMissingColumnFamilies(true);
        Map<String, Duration> ttls = Map.of("codes", Duration.ofSeconds(1));
        try (RocksDB sessions = RocksDB.openWithTtl(path, options, Duration.ofDays(30),
                Map.of("codes", new Options()), ttls)) { // a database is opened like this from its creation on
            ColumnFamily codes = sessions.columnFamily("codes");
            sessions.put(alice, "session 4711".getBytes(UTF_8));
            codes.put(alice, "code 0815".getBytes(UTF_8));
            Thread.sleep(2_100); // RocksDB counts in whole seconds

            check(codes.get(alice) != null, "what has expired can be read until a compaction meets it");
            sessions.compact(); // RocksDB compacts by itself; this does it now
            codes.compact();
            check(codes.get(alice) == null, "the code is gone");
            check(sessions.get(alice) != null, "the session is still there");
        }
        // end::ttl[]
        IO.println("The code has expired, the session has not");
    }
}
