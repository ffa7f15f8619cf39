package dev.outcrop.queue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that wait for a record each, all at the same time. Prints the result. Arguments: directory, number of groups, how the
 * waiting ends.
 */
final class WaitingProgram {
    static final int THREADS = 10_000;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration IDLE = Duration.ofSeconds(2);
    private static final int MOST_LOOKS = 5;
    /** Of 2,000. If each of them looked for itself ten times a second, it would be 600 and more. */
    static final long IDLE_MILLIS = 300;
    private static final int SINGLE = 100;

    private final Queue queue;
    private final List<ConsumerGroup> groups = new ArrayList<>();
    private final AtomicInteger got = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    /** When the last one got its record. */
    private final AtomicLong lastAt = new AtomicLong();

    private WaitingProgram(Path directory, int groups) {
        this.queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(4 << 20));
        for (int i = 0; i < groups; i++) {
            this.groups.add(queue.group("group" + i));
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        WaitingProgram program = new WaitingProgram(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        List<Thread> threads = program.start();
        long idle = idle();
        if (idle > 0) {
            System.out.println("idle ms of processor time: " + idle);
        }
        switch (arguments[2]) {
            case "records" -> program.append();
            case "interrupts" -> threads.forEach(Thread::interrupt);
            default -> program.queue.close();
        }
        Polls.joinAll(threads);
        System.out.println("got " + program.got + ", interrupted " + program.interrupted + ", refused "
                + program.refused);
        if (!arguments[2].equals("close")
                && program.queue.groups().stream().anyMatch(name -> program.queue.group(name).inFlight() != 0)) {
            System.out.println("some are in flight");
        }
    }

    private List<Thread> start() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            ConsumerGroup group = groups.get(i % groups.size());
            threads.add(Thread.ofVirtual().start(() -> take(group)));
        }
        for (Thread each : threads) {
            Polls.waitWhile(() -> each.getState() != Thread.State.TIMED_WAITING);
        }
        return threads;
    }

    private void take(ConsumerGroup group) {
        try (Consumer consumer = group.consumer()) {
            @Nullable
            Delivery delivery = consumer.poll(LONG);
            if (delivery != null) {
                try (delivery) {
                    lastAt.set(System.nanoTime());
                    delivery.acknowledge();
                    got.incrementAndGet();
                }
            }
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
        } catch (IllegalStateException e) {
            refused.incrementAndGet();
        }
    }

    /** The use of the processor while all wait: the least, because the JVM's own threads may have something to do at first. */
    private static long idle() throws InterruptedException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MOST_LOOKS && least >= IDLE_MILLIS; i++) {
            Thread.sleep(IDLE);
            long before = system.getProcessCpuTime();
            Thread.sleep(IDLE);
            least = Math.min(least, (system.getProcessCpuTime() - before) / 1_000_000);
        }
        return least;
    }

    /** One by one first, then all that are still waited for. */
    private void append() throws InterruptedException {
        int each = THREADS / groups.size();
        long[] nanos = new long[SINGLE];
        for (int i = 0; i < SINGLE; i++) {
            Thread.sleep(2);
            long before = System.nanoTime();
            queue.append(new byte[8]);
            while (got.get() < (i + 1) * groups.size()) {
                Thread.sleep(0, 100_000);
            }
            nanos[i] = lastAt.get() - before;
        }
        Arrays.sort(nanos);
        System.out.println("us until the record is there, median " + nanos[SINGLE / 2] / 1000 + ", longest "
                + nanos[SINGLE - 1] / 1000);
        long before = System.nanoTime();
        for (int i = SINGLE; i < each; i++) {
            queue.append(new byte[8]);
        }
        Polls.waitWhile(() -> got.get() < THREADS);
        System.out.println("us for all others: " + (lastAt.get() - before) / 1000);
    }
}
