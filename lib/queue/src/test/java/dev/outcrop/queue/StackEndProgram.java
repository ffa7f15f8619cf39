package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls a queue at each depth of the end of a stack, closes it, opens it again, and looks whether everything is there. Prints "fine", or what
 * is not. Arguments: directory, seed, how often everything is called before, "platform" or "virtual".
 */
final class StackEndProgram {
    /** How many frames from the end of a stack on. */
    private static final int DEPTHS = 1_500;
    /** Each call is repeated this often before the stack ends; fast calls often enough for the JIT compiler. */
    private static final int FEW = 20;
    private static final long HANGS_SECONDS = 60;
    private static final int MOST = 200_000;

    private final Path directory;
    private final Random random;
    private final boolean isVirtual;
    // Arrays only: nothing of this program may need stack where the queue has none.
    private final byte[] bytes = new byte[Long.BYTES];
    private final MemorySegment segment = MemorySegment.ofArray(bytes);
    private final List<MemorySegment> three = List.of(segment, segment, segment);
    private final long[] ids = new long[MOST];
    private final boolean[] isAcknowledged = new boolean[MOST];
    private Queue queue;
    private Consumer consumer;
    private ConsumerGroup mover;
    private long id;
    private int poisoned;
    private String message = "";

    private interface Step {
        void run() throws Exception;
    }

    private StackEndProgram(Path directory, long seed, boolean isVirtual) {
        this.directory = directory;
        this.random = new Random(seed);
        this.isVirtual = isVirtual;
        this.queue = open(true);
        this.consumer = queue.group("group").consumer();
        this.mover = queue.group("mover");
        Arrays.fill(ids, -1);
    }

    public static void main(String[] arguments) throws Exception {
        new StackEndProgram(Path.of(arguments[0]), Long.parseLong(arguments[1]), arguments[3].equals("virtual"))
                .run(Integer.parseInt(arguments[2]));
        System.out.println("fine");
    }

    private Queue open(boolean isBackground) {
        // Small segments, so that the queue often goes on to another one; and none is given back, so that all can be looked at.
        return Queue.open(directory, new QueueOptions().segmentSize(8 << 10).keepBytes(Long.MAX_VALUE)
                .backgroundThread(isBackground));
    }

    private void run(int warmUp) throws Exception {
        List<Step> steps = List.of(this::append, this::appendThree, this::appendWithWriter, this::appendDurably,
                this::sync, this::poll, this::pollOne, this::visit, this::acknowledgeUpTo, this::giveBack,
                () -> mover.seek(0), () -> mover.seekToEnd(), () -> mover.seek(Instant.EPOCH), this::makeGroup,
                this::look);
        List<Step> fast = List.of(this::append, this::appendThree, this::appendWithWriter, this::poll, this::pollOne);
        for (int i = 0; i < warmUp; i++) {
            for (Step each : i < FEW ? steps : fast) {
                each.run();
            }
        }
        int round = 0;
        for (Step each : steps) {
            inThread(() -> StackEnds.run("step " + steps.indexOf(each), DEPTHS, random.nextInt(), () -> call(each)));
            close(queue);
            reopen(round++ % 2 == 0);
        }
        inThread(() -> StackEnds.run("close", DEPTHS, random.nextInt(), this::closeAgain));
        close(queue);
        reopen(true);
        checkRecords();
        close(queue);
        if (poisoned == 0 || !message.contains("pen it again")) {
            throw new AssertionError("The message does not say what to do: " + message);
        }
    }

    private void call(Step step) throws Exception {
        try {
            step.run();
        } catch (QueuePoisonedException e) {
            poisoned++;
            message = String.valueOf(e.getMessage());
        }
    }

    // --- Calls at the end of a stack ---

    private byte[] next() {
        long next = ++id;
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (next >>> (8 * i));
        }
        return bytes;
    }

    private void append() {
        byte[] payload = next();
        ids[(int) queue.append(payload)] = id;
    }

    private void appendThree() {
        next();
        int offset = (int) queue.append(three);
        ids[offset] = id;
        ids[offset + 1] = id;
        ids[offset + 2] = id;
    }

    private void appendWithWriter() {
        next();
        ids[(int) queue.append(Long.BYTES, to -> MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, 0, 8))] = id;
    }

    private void appendDurably() {
        byte[] payload = next();
        ids[(int) queue.with(Durability.SYNCED).append(payload)] = id;
    }

    private void sync() {
        append();
        queue.sync();
    }

    private void poll() throws InterruptedException {
        consumer.poll(3, Duration.ofNanos(1), (offset, _, _) -> isAcknowledged[(int) offset] |= consumer
                .acknowledge(offset));
    }

    private void visit() {
        consumer.visit(3, record -> isAcknowledged[(int) record.offset()] |= consumer.acknowledge(record.offset()));
    }

    private void pollOne() {
        try (Delivery delivery = consumer.poll()) {
            if (delivery != null) {
                isAcknowledged[(int) delivery.offset()] |= delivery.acknowledge();
            }
        }
    }

    private void acknowledgeUpTo() {
        try (Consumer other = queue.group("group").consumer()) {
            long[] first = {-1, -1};
            other.poll(2, (offset, _, _) -> {
                first[0] = first[0] < 0 ? offset : first[0];
                first[1] = offset;
            });
            if (first[0] >= 0 && other.acknowledgeUpTo(first[1]) == 2) {
                isAcknowledged[(int) first[0]] = true;
                isAcknowledged[(int) first[1]] = true;
            }
        }
    }

    private void giveBack() {
        long[] last = {-1};
        consumer.poll(1, (offset, _, _) -> last[0] = offset);
        if (last[0] >= 0) {
            consumer.giveBack(last[0], Duration.ofNanos(1));
        }
    }

    private void makeGroup() {
        queue.group("made").consumer().close();
        queue.deleteGroup("made");
    }

    private void look() {
        long _ = queue.group("group").lag().records() + queue.group("group").inFlight() + queue.bytes();
    }

    private void closeAgain() {
        // Needs stack also when the queue is closed.
        boolean _ = Files.exists(directory);
        queue.close();
    }

    // --- Afterwards ---

    private void reopen(boolean isBackground) {
        queue = open(isBackground);
        consumer = queue.group("group").consumer();
        mover = queue.group("mover");
        // Goes on, whatever was poisoned.
        append();
        queue.sync();
    }

    private void checkRecords() {
        try (Consumer rest = queue.group("group").consumer()) {
            rest.poll(Integer.MAX_VALUE, (offset, _, _) -> {
                if (isAcknowledged[(int) offset]) {
                    throw new AssertionError("Record " + offset + " was acknowledged, and is delivered again");
                }
            });
        }
        long[] found = new long[(int) queue.nextOffset()];
        try (Consumer all = queue.group("all").consumer()) {
            while (all.poll(1000, (offset, payload, _) -> found[(int) offset] = payload
                    .get(ValueLayout.JAVA_LONG_UNALIGNED, 0)) > 0) {
                int _ = all.acknowledgeUpTo(Long.MAX_VALUE);
            }
        }
        for (int offset = 0; offset < MOST; offset++) {
            if (ids[offset] >= 0 && (offset >= found.length || found[offset] != ids[offset])) {
                throw new AssertionError("Record " + offset + ", which append has returned, is not there");
            }
        }
    }

    /** In another thread, so that it is noticed if it hangs. */
    private void close(Queue closed) throws Exception {
        await(() -> {
            try {
                closed.close();
            } catch (QueuePoisonedException e) {
                message = String.valueOf(e.getMessage());
            }
        }, false);
        QueueCheck check = QueueFiles.verify(directory);
        if (!check.isSound()) {
            throw new AssertionError(check.toString());
        }
    }

    private void inThread(Step step) throws Exception {
        await(step, isVirtual);
    }

    private static void await(Step step, boolean isVirtual) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            step.run();
            return true;
        });
        Thread thread = isVirtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task);
        try {
            boolean _ = task.get(HANGS_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            System.out.println("hangs: " + thread);
            print(thread, thread.getStackTrace());
            Thread.getAllStackTraces().forEach(StackEndProgram::print);
            System.out.flush();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void print(Thread thread, StackTraceElement[] stack) {
        System.out.println(thread);
        Arrays.stream(stack).limit(15).forEach(element -> System.out.println("    at " + element));
    }
}
