package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A virtual thread for each request, which reads a user and appends an order durably: many orders share a write to the disk. */
public final class VirtualThreads {
    private static final int REQUESTS = 2_000;

    public static void main(String[] args) throws Exception {
        Path directory = Example.directory();
        try (RocksDB users = RocksDB.open(directory.resolve("users"), new Options().createIfMissing(true));
                Queue orders = Queue.open(directory.resolve("orders"))) {
            for (int user = 0; user < 100; user++) {
                users.put(key(user), ("user " + user).getBytes(UTF_8));
            }
            List<Future<Long>> answers = new ArrayList<>();
            // tag::threads[]
            try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < REQUESTS; i++) {
                    int user = i % 100;
                    answers.add(requests.submit(() -> order(users, orders, user)));
                }
            }
            // end::threads[]
            for (Future<Long> answer : answers) {
                answer.get(); // throws what the request has thrown
            }
            long writes = orders.statistics().syncs().count();
            IO.println(REQUESTS + " orders are on the disk after " + writes + " writes");
            check(orders.nextOffset() - orders.firstOffset() == REQUESTS, "each order is in the queue");
            check(writes < REQUESTS, "orders shared writes to the disk");
        }
    }

    // tag::request[]
    /** Returns the number of the order when it is on the disk. */
    static long order(RocksDB users, Queue orders, int user) {
        byte[] name = users.get(key(user)); // a native call, which keeps the carrier thread until it returns
        if (name == null) {
            throw new IllegalArgumentException("No user " + user);
        }
        return orders.with(Durability.SYNCED).append(name); // waits without a carrier thread, but for the one that writes for all
    }
    // end::request[]

    private static byte[] key(int user) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(user).array();
    }
}
