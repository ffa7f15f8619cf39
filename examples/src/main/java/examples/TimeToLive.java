package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;

/** Sessions that expire: RocksDB drops an entry some time after it was written, when a compaction meets it. */
public final class TimeToLive {
    public static void main(String[] args) throws InterruptedException {
        Path path = Example.directory().resolve("sessions");
        byte[] old = "session 1".getBytes(UTF_8);
        byte[] fresh = "session 2".getBytes(UTF_8);
        // tag::ttl[]
        Options options = new Options().createIfMissing(true);
        try (RocksDB db = RocksDB.openWithTtl(path, options, Duration.ofSeconds(1))) { // always, from its creation on
            db.put(old, "Alice".getBytes(UTF_8));
            Thread.sleep(2_100); // a second, rounded up to the next, and one that the clock may be behind
            db.put(fresh, "Bob".getBytes(UTF_8));
            check(db.get(old) != null, "an expired entry can be read until a compaction meets it");
            db.compact(); // RocksDB compacts by itself; this does it now
            check(db.get(old) == null, "it is gone then");
            check(db.get(fresh) != null, "what was written later stays");
        }
        // end::ttl[]
        IO.println("Session 1 has expired, session 2 has not");
    }
}
