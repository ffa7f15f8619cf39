package examples;

import static examples.Example.check;

import dev.outcrop.queue.Codec;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.Received;
import dev.outcrop.queue.TypedConsumer;
import dev.outcrop.queue.TypedQueue;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue of orders that two groups of consumers read, each all of them: packing, which stops in between, and billing, which fails at
 * times. What is not acknowledged is delivered again, also after a restart.
 */
public final class OrderQueue {
    // tag::order[]
    record Order(long id, long customer, double amount) {
    }

    private static final Codec<Order> CODEC = Codec.ofRecord(MethodHandles.lookup(), Order.class);
    // end::order[]

    public static void main(String[] args) throws InterruptedException {
        Path directory = Example.directory();
        Path path = directory.resolve("orders");
        try (Queue refused = Queue.open(directory.resolve("refused"))) {
            // tag::groups[]
            try (Queue queue = Queue.open(path)) {
                TypedQueue<Order> orders = new TypedQueue<>(queue, CODEC);
                for (long id = 1; id <= 5; id++) {
                    orders.append(new Order(id, 4711, 12.5 * id));
                }
                try (TypedConsumer<Order> packing = orders.consumer("packing")) {
                    packing.poll(3, (offset, order, deliveries) -> { // at most three; two are left
                        IO.println("packed " + order.id());
                        packing.acknowledge(offset);
                    });
                }
                try (TypedConsumer<Order> billing = orders.consumer("billing")) { // sees all five
                    Received<Order> received;
                    while ((received = billing.poll(Duration.ofMillis(500))) != null) {
                        bill(received, billing, new TypedQueue<>(refused, CODEC));
                    }
                }
            }
            // end::groups[]
            check(refused.nextOffset() - refused.firstOffset() == 1, "one order is refused");
        }

        List<Long> left = new ArrayList<>();
        try (Queue queue = Queue.open(path);
                TypedConsumer<Order> packing = new TypedQueue<>(queue, CODEC).consumer("packing")) {
            packing.poll(100, (offset, order, deliveries) -> left.add(order.id()));
            IO.println("left to be packed: " + left);
            check(left.equals(List.of(4L, 5L)), "packing goes on behind what it has acknowledged");
            check(queue.group("billing").lag().records() == 0, "billing is done with all orders");
        }
    }

    // tag::bill[]
    private static void bill(Received<Order> received, TypedConsumer<Order> billing, TypedQueue<Order> refused) {
        try {
            charge(received.value(), received.deliveries());
        } catch (IllegalStateException e) {
            IO.println(e.getMessage() + ", delivery " + received.deliveries());
            if (received.deliveries() < 3) {
                billing.giveBack(received.offset(), Duration.ofMillis(50)); // not before that; others go on meanwhile
                return;
            }
            refused.append(received.value()); // for somebody to look at
        }
        billing.acknowledge(received.offset());
    }
    // end::bill[]

    private static void charge(Order order, int deliveries) {
        if (order.id() == 2 || order.id() == 3 && deliveries == 1) {
            throw new IllegalStateException("no answer from the bank for order " + order.id());
        }
        IO.println("billed " + order.id());
    }
}
