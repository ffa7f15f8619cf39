package dev.outcrop.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/pipeline.md. */
class TutorialTest {
    @TempDir
    private Path directory;

    private static MemorySegment customer(MemorySegment order) {
        return order.asSlice(0, 8);
    }

    @Test
    void first() throws Exception {
        // tag::first[]
        try (Queue orders = Queue.open(directory.resolve("orders"));
                RocksDB db = RocksDB.open(directory.resolve("db"),
                        new Options().createIfMissing(true).mergeOperator(MergeOperator.UINT64_ADD));
                Pipeline pipeline = Pipeline.from(orders, "totals") // a group that belongs to the pipeline
                        .map((offset, order, writes) -> writes.merge(customer(order), order.asSlice(8, 8)))
                        .into(db)) { // runs from here on, in a thread of its own
            orders.append(MemorySegment.ofArray("customer".getBytes(UTF_8)),
                    MemorySegment.ofArray(new byte[]{5, 0, 0, 0, 0, 0, 0, 0}));
            boolean isDone = pipeline.drain(Duration.ofMinutes(1)); // or go on appending
            System.out.println("all written: " + isDone);
        }
        // end::first[]
        try (RocksDB db = RocksDB.open(directory.resolve("db"))) {
            assertThat(db.get("customer".getBytes(UTF_8))).containsExactly(5, 0, 0, 0, 0, 0, 0, 0);
        }
    }

    @Test
    void letters() throws Exception {
        try (Queue orders = Queue.open(directory.resolve("orders"));
                RocksDB db = RocksDB.open(directory.resolve("db"), new Options().createIfMissing(true))) {
            orders.append(new byte[3]);
            // tag::letters[]
            try (Queue unreadable = Queue.open(directory.resolve("unreadable"));
                    Pipeline pipeline = Pipeline.from(orders, "by-customer")
                            .map((offset, order, writes) -> writes.put(customer(order), order))
                            .deadLetters(unreadable) // otherwise it stops in front of a record that throws
                            .durability(Durability.SYNCED) // power cuts, too
                            .linger(Duration.ofMillis(20)) // few writes to the disk instead of many
                            .into(db)) {
                boolean isDone = pipeline.drain(Duration.ofMinutes(1));
                System.out.println(isDone + ", put away: " + pipeline.statistics().deadLetters());
            }
            // end::letters[]
        }
        try (Queue unreadable = Queue.open(directory.resolve("unreadable"))) {
            assertThat(unreadable.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    void view() throws Exception {
        try (Queue orders = Queue.open(directory.resolve("orders"));
                RocksDB db = RocksDB.open(directory.resolve("db"), new Options().createIfMissing(true))) {
            orders.append("customerfirst order".getBytes(UTF_8));
            // tag::view[]
            try (Pipeline pipeline = Pipeline.from(orders, "last-order").map((order, writes) -> {
                MemorySegment in = order.memory(); // what the payload lies in; at(...) says where, and checks it
                int rest = order.size() - 8;
                writes.put(in, order.at(0, 8), 8, in, order.at(8, rest), rest);
            }).into(db)) {
                System.out.println("all written: " + pipeline.drain(Duration.ofMinutes(1)));
            }
            // end::view[]
            assertThat(db.get("customer".getBytes(UTF_8))).isEqualTo("first order".getBytes(UTF_8));
        }
    }

    @Test
    void replica() throws Exception {
        // tag::replica[]
        try (RocksDB db = RocksDB.open(directory.resolve("original"),
                new Options().createIfMissing(true).WALTtlSeconds(Duration.ofHours(1))); // how long it may be behind
                Queue changes = Queue.open(directory.resolve("changes"), new QueueOptions().keepBytes(1 << 20));
                RocksDB copy = RocksDB.open(directory.resolve("copy"), new Options().createIfMissing(true));
                ChangeFeed feed = ChangeFeed.from(db).into(changes);
                Pipeline pipeline = Pipeline.from(changes, "copy").map(ChangeFeed.mapper(copy)).into(copy)) {
            db.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
            if (feed.drain(Duration.ofMinutes(1)) && pipeline.drain(Duration.ofMinutes(1))) {
                System.out.println("in the copy: " + Arrays.toString(copy.get("key".getBytes(UTF_8))));
            }
        }
        // end::replica[]
        try (RocksDB copy = RocksDB.open(directory.resolve("copy"))) {
            assertThat(copy.get("key".getBytes(UTF_8))).isEqualTo("value".getBytes(UTF_8));
        }
    }
}
