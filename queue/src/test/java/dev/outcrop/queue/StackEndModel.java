package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A queue, and what it must contain. All that is called at the end of a stack uses arrays only, which need no stack. */
final class StackEndModel implements AutoCloseable {
    private static final int MOST = 400_000;

    private final Path path;
    final Queue queue;
    final ConsumerGroup group;
    final ConsumerGroup mover;
    final Consumer consumer;
    byte[] bytes = new byte[8];
    final MemorySegment nothing = MemorySegment.ofArray(new byte[0]);
    private int id;
    private final long[] offsets = new long[MOST];
    private final int[] counts = new int[MOST];
    private final boolean[] isAcknowledged = new boolean[MOST];
    private long appended;
    private long unknownBefore;
    private final List<String> suspects = new ArrayList<>();
    /** What is not to be found by its id. */
    int own;
    private final List<CompletableFuture<Long>> futures = new ArrayList<>();
    private final List<Integer> futureIds = new ArrayList<>();
    private @Nullable Delivery open;
    private boolean isGivenBack;
    private @Nullable String failure;

    StackEndModel(Path path, QueueOptions options) {
        this.path = path;
        this.queue = Queue.open(path, options);
        this.group = queue.group("group");
        this.mover = queue.group("mover");
        this.consumer = group.consumer();
        Arrays.fill(offsets, -1);
    }

    // --- Appending ---

    byte[] nextBytes() {
        int next = ++id;
        for (int i = 0; i < 8; i++) {
            // As text, for those who read it as such.
            bytes[i] = (byte) ('0' + ((next >>> (4 * i)) & 15));
        }
        return bytes;
    }

    MemorySegment nextSegment() {
        return MemorySegment.ofArray(nextBytes());
    }

    ByteBuffer nextBuffer() {
        return ByteBuffer.wrap(nextBytes());
    }

    RecordWriter nextWriter() {
        byte[] from = nextBytes();
        return to -> MemorySegment.copy(from, 0, to, ValueLayout.JAVA_BYTE, 0, 8);
    }

    List<MemorySegment> nextList() {
        MemorySegment one = nextSegment();
        return List.of(one, one, one);
    }

    String nextText() {
        return new String(nextBytes(), 0, 8, StandardCharsets.ISO_8859_1);
    }

    void returned(long offset, int count) {
        offsets[id] = offset;
        counts[id] = count;
        appended += count;
    }

    void asynchronous(CompletableFuture<Long> future, int count) {
        counts[id] = count;
        appended += count;
        futureIds.add(id);
        futures.add(future);
    }

    // --- Reading ---

    void acknowledge(long offset, MemorySegment payload, int deliveries) {
        if (isAcknowledged[(int) offset]) {
            failure = "acknowledged, and delivered again";
        }
        if (payload.byteSize() < 8 || deliveries < 1) {
            failure = "a strange record";
        }
        if (consumer.acknowledge(offset)) {
            isAcknowledged[(int) offset] = true;
        }
    }

    void pollOne() {
        Delivery delivery = open;
        if (delivery != null) {
            // From an attempt that has failed.
            if (!isGivenBack) {
                boolean _ = consumer.giveBack(delivery.offset());
                isGivenBack = true;
            }
            delivery.close();
            open = null;
        }
        delivery = consumer.poll();
        open = delivery;
        isGivenBack = false;
        if (delivery != null) {
            if (isAcknowledged[(int) delivery.offset()]) {
                failure = "acknowledged, and delivered again";
            }
            if (delivery.acknowledge()) {
                isAcknowledged[(int) delivery.offset()] = true;
            }
            delivery.close();
            open = null;
        }
    }

    private final long[] two = new long[2];
    private int held;

    void acknowledgeMany() {
        held = 0;
        int count = consumer.poll(2, (offset, _, _) -> two[held++] = offset);
        if (count == 2) {
            if (consumer.acknowledge(two) == 2) {
                isAcknowledged[(int) two[0]] = true;
                isAcknowledged[(int) two[1]] = true;
            }
        } else if (count == 1 && consumer.acknowledge(two[0])) {
            isAcknowledged[(int) two[0]] = true;
        }
    }

    void acknowledgeUpTo() {
        try (Consumer other = group.consumer()) {
            held = 0;
            int count = other.poll(2, (offset, _, _) -> two[held++] = offset);
            if (count > 0 && other.acknowledgeUpTo(two[count - 1]) == count) {
                isAcknowledged[(int) two[0]] = true;
                isAcknowledged[(int) two[count - 1]] = true;
            }
        }
    }

    void giveBack() {
        held = 0;
        int count = consumer.poll(2, (offset, _, _) -> two[held++] = offset);
        for (int i = 0; i < count; i++) {
            boolean _ = consumer.giveBack(two[i], Duration.ofNanos(i));
        }
    }

    // --- Looking ---

    /** Before something is called that may append. */
    void begin() {
        unknownBefore = queue.nextOffset() - appended;
    }

    /** After it: what was appended by calls that have failed is withdrawn, or an error, which is found later. */
    void end(String name) {
        long unknown = queue.nextOffset() - appended - unknownBefore;
        if (unknown != 0) {
            suspects.add(name + ": " + unknown);
        }
    }

    void check() throws Exception {
        for (int i = 0; i < futures.size(); i++) {
            offsets[futureIds.get(i)] = futures.get(i).get(StackEndProgram.HANGS_SECONDS, TimeUnit.SECONDS);
        }
        if (open != null) {
            open.close();
        }
        // Given back is what was polled and, at the end of the stack, not acknowledged.
        consumer.close();
        try (Consumer rest = group.consumer()) {
            int count;
            do {
                count = rest.poll(1000, (offset, _, _) -> {
                    if (isAcknowledged[(int) offset]) {
                        failure = "acknowledged, and delivered again: " + offset;
                    }
                    isAcknowledged[(int) offset] = true;
                });
                int _ = rest.acknowledgeUpTo(Long.MAX_VALUE);
            } while (count > 0);
        }
        if (failure != null) {
            throw new AssertionError(failure);
        }
        if (group.lag().records() != 0) {
            throw new AssertionError("lag of " + group + ": " + group.lag().records());
        }
        long first = mover.seekToBeginning();
        checkRecords(mover, first, queue.nextOffset());
        // Nobody has kept a segment.
        mover.seekToEnd();
        long _ = queue.append(bytes);
        if (path.endsWith("rolling") && queue.bytes() > 3 * (8 << 10)) {
            throw new AssertionError("Segments from " + queue.firstOffset() + " to " + queue.nextOffset()
                    + " were not given back");
        }
        close();
        StackEndProgram.requireSound(path);
        try (Queue again = Queue.open(path)) {
            if (again.group("group").lag().records() != 1) {
                throw new AssertionError(
                        "lag of the group after opening again: " + again.group("group").lag().records());
            }
            checkRecords(again.group("new"), again.firstOffset(), again.nextOffset() - 1);
            if (path.endsWith("rolling") && again.bytes() > 3 * (8 << 10)) {
                throw new AssertionError("Segments from " + again.firstOffset() + " to " + again.nextOffset()
                        + " were not given back");
            }
        }
    }

    /** Whether from an offset on all is there that was appended, and nothing else. */
    private void checkRecords(ConsumerGroup from, long first, long end) {
        int[] found = new int[(int) (end - first)];
        try (Consumer all = from.consumer()) {
            int count;
            do {
                count = all.poll(1000, (offset, payload, _) -> {
                    if (offset < end) {
                        found[(int) (offset - first)] = id(payload);
                    }
                });
                int _ = all.acknowledgeUpTo(Long.MAX_VALUE);
            } while (count > 0);
        }
        int expected = own;
        for (int i = 1; i <= id; i++) {
            for (int k = 0; k < counts[i] && offsets[i] >= 0; k++) {
                long offset = offsets[i] + k;
                if (offset >= first) {
                    expected++;
                    if (found[(int) (offset - first)] != i) {
                        throw new AssertionError("Record " + offset + " should be " + i + ", and is "
                                + found[(int) (offset - first)] + ", in " + path);
                    }
                }
            }
        }
        long there = Arrays.stream(found).filter(each -> each != 0).count();
        if (there != expected && first == 0) {
            throw new AssertionError(there + " records are there, " + expected + " were appended to " + path
                    + "; offsets that no call has returned: " + suspects);
        }
    }

    private static int id(MemorySegment payload) {
        int id = 0;
        for (int i = 0; i < 8; i++) {
            id |= (payload.get(ValueLayout.JAVA_BYTE, i) - '0') << (4 * i);
        }
        return id == 0 ? -1 : id;
    }

    /** In another thread, so that it is noticed if it hangs, which it may also do after something else has failed. */
    @Override
    public void close() {
        FutureTask<Boolean> closing = new FutureTask<>(() -> {
            queue.close();
            return true;
        });
        try {
            StackEndProgram.await("close", closing, Thread.ofPlatform().start(closing));
        } catch (Exception e) {
            throw new AssertionError("close() has failed", e);
        }
    }
}
