package dev.outcrop.queue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls all of a queue at each depth of the end of a stack, and then looks whether it works and everything is there. Prints "fine", or what
 * is not. Arguments: directory, seed, how often everything is called before, "platform" or "virtual".
 */
final class StackEndProgram {
    /** Of the stack of platform threads, and where what succeeds never is not called any more. */
    private static final int DEPTHS = 10_000;
    private static final int FEW = 20;
    private static final List<String> FAST = List.of("plain append(byte[])", "plain append(MemorySegment)",
            "plain append(list)", "plain append(writer)", "plain poll()", "plain poll(max, handler)", "plain numbers",
            "plain give back", "plain typed poll", "plain typed append", "plain acknowledge many",
            "plain acknowledge up to");
    static final long HANGS_SECONDS = 60;

    private static final byte[] EMPTY = new byte[8];

    private final Path directory;
    private final Random random;
    private final boolean isVirtual;
    private final Map<String, StackEnds.Step> steps = new TreeMap<>();
    private final List<StackEndModel> models = new ArrayList<>();
    private int successes;

    private StackEndProgram(Path directory, long seed, boolean isVirtual) {
        this.directory = directory;
        this.random = new Random(seed);
        this.isVirtual = isVirtual;
    }

    public static void main(String[] arguments) throws Exception {
        StackEndProgram program = new StackEndProgram(Path.of(arguments[0]), Long.parseLong(arguments[1]),
                arguments[3].equals("virtual"));
        program.run(Integer.parseInt(arguments[2]));
        System.out.println("fine");
    }

    private void run(int warmUp) throws Exception {
        try (StackEndModel plain = new StackEndModel(directory.resolve("plain"),
                new QueueOptions().segmentSize(1 << 20));
                // Each second record begins a segment, and the group's acknowledgements give them back at once.
                StackEndModel rolling = new StackEndModel(directory.resolve("rolling"),
                        new QueueOptions().segmentSize(8 << 10).backgroundThread(false))) {
            addSteps("plain", plain);
            addSteps("rolling", rolling);
            rolling.bytes = new byte[2000];
            if (warmUp > 0) {
                warmUp(warmUp);
            }
            callAll();
            callInside(plain);
            wakeReaders(plain);
            plain.check();
            rolling.check();
        }
        tail(directory.resolve("plain"));
        fill(directory.resolve("bounded"));
        openAndClose();
    }

    // --- What is called ---

    private void addSteps(String name, StackEndModel model) {
        Queue queue = model.queue;
        models.add(model);
        add(name, "append(byte[])", () -> model.returned(queue.append(model.nextBytes()), 1));
        add(name, "append(MemorySegment)", () -> model.returned(queue.append(model.nextSegment()), 1));
        add(name, "append(ByteBuffer)", () -> model.returned(queue.append(model.nextBuffer()), 1));
        add(name, "append(two parts)",
                () -> model.returned(queue.append(model.nextSegment(), model.nothing), 1));
        add(name, "append(writer)", () -> model.returned(queue.append(8, model.nextWriter()), 1));
        add(name, "append(list)", () -> model.returned(queue.append(model.nextList()), 3));
        Durability often = Durability.groupCommit(Duration.ofMillis(1), 1 << 20);
        add(name, "append(byte[], groupCommit)", () -> model.returned(queue.with(often).append(model.nextBytes()), 1));
        add(name, "append(list, groupCommit)", () -> model.returned(queue.with(often).append(model.nextList()), 3));
        add(name, "append(writer, pageCache)",
                () -> model.returned(queue.with(Durability.PAGE_CACHE).append(8, model.nextWriter()), 1));
        add(name, "appendDurable(byte[])",
                () -> model.returned(queue.with(Durability.SYNCED).append(model.nextBytes()), 1));
        add(name, "appendDurable(writer)",
                () -> model.returned(queue.with(Durability.SYNCED).append(8, model.nextWriter()), 1));
        add(name, "appendDurable(list)",
                () -> model.returned(queue.with(Durability.SYNCED).append(model.nextList()), 3));
        add(name, "appendAsync(byte[])", () -> model.asynchronous(queue.async().append(model.nextBytes()), 1));
        add(name, "appendAsync(list)", () -> model.asynchronous(queue.async().append(model.nextList()), 3));
        add(name, "sync", queue::sync);
        add(name, "poll(max, handler)", () -> {
            int _ = model.consumer.poll(3, model::acknowledge);
        });
        add(name, "poll(max, timeout, handler)", () -> {
            int _ = model.consumer.poll(2, Duration.ofNanos(1), model::acknowledge);
        });
        add(name, "poll()", model::pollOne);
        add(name, "acknowledge many", model::acknowledgeMany);
        add(name, "acknowledge up to", model::acknowledgeUpTo);
        add(name, "give back", model::giveBack);
        add(name, "seek", () -> {
            long _ = model.mover.seek(0);
        });
        add(name, "seek to ends", () -> {
            long _ = model.mover.seekToBeginning();
            long _ = model.mover.seekToEnd();
        });
        add(name, "seek to time", () -> {
            long _ = model.mover.seek(Instant.EPOCH);
        });
        add(name, "groups", () -> {
            ConsumerGroup made = queue.group("made");
            made.consumer().close();
            queue.deleteGroup("made");
        });
        add(name, "numbers", () -> {
            long _ = model.group.lag().records() + model.group.position() + model.group.inFlight() + queue.bytes()
                    + queue.firstOffset() + queue.nextOffset() + queue.durableOffset() + queue.groups().size()
                    + queue.statistics().appends().count() + queue.statistics().rolls();
        });
        TypedQueue<String> typed = new TypedQueue<>(queue, Codec.utf8());
        add(name, "typed append", () -> model.returned(typed.append(model.nextText()), 1));
        add(name, "typed appendAll", () -> {
            String text = model.nextText();
            model.returned(typed.appendAll(List.of(text, text, text)), 3);
        });
        TypedConsumer<String> consumer = new TypedConsumer<>(model.consumer, Codec.utf8());
        add(name, "typed poll", () -> {
            Received<String> received = consumer.poll();
            if (received != null && !consumer.giveBack(received.offset())) {
                throw new AssertionError(received);
            }
        });
    }

    private void add(String model, String name, StackEnds.Step step) {
        steps.put(model + " " + name, step);
    }

    /** Some thousand times, so that the JIT compiler takes it; or some hundred times, so that it is not new to the queue. */
    private void warmUp(int times) throws Exception {
        for (Map.Entry<String, StackEnds.Step> each : steps.entrySet()) {
            boolean isFast = FAST.contains(each.getKey());
            for (int i = 0; i < (isFast ? times : FEW); i++) {
                each.getValue().run();
            }
        }
    }

    private void callAll() throws Exception {
        List<String> names = new ArrayList<>(steps.keySet());
        Collections.shuffle(names, random);
        for (String name : names) {
            successes = 0;
            models.forEach(StackEndModel::begin);
            inThread(name,
                    () -> successes = StackEnds.run(name, DEPTHS, random.nextInt(),
                            Objects.requireNonNull(steps.get(name))));
            models.forEach(model -> model.end(name));
            if (successes == 0) {
                throw new AssertionError(name + " succeeds nowhere in the last " + DEPTHS + " frames of a stack");
            }
        }
    }

    /** Code of a user that is called by the queue, and itself goes to the end of the stack. */
    private void callInside(StackEndModel model) throws Exception {
        inThread("a writer at the end of a stack", () -> {
            try {
                long _ = model.queue.append(8, _ -> recurse());
            } catch (StackOverflowError _) {
                // Withdrawn.
            }
        });
        inThread("an append of a writer", () -> model.queue.append(8, to -> {
            to.fill((byte) '0');
            StackEnds.run("append of a writer", DEPTHS, random.nextInt(),
                    Objects.requireNonNull(steps.get("plain append(byte[])")));
        }));
        model.own++;
        inThread("a handler at the end of a stack", () -> {
            try {
                int _ = model.consumer.poll(3, (_, _, _) -> recurse());
            } catch (StackOverflowError _) {
                // Given back.
            }
        });
        inThread("a handler that calls the queue", () -> {
            int _ = model.consumer.poll(1, (offset, payload, deliveries) -> {
                for (String name : List.of("plain append(byte[])", "plain poll()", "plain numbers")) {
                    StackEnds.run(name, DEPTHS, random.nextInt(), Objects.requireNonNull(steps.get(name)));
                }
                model.acknowledge(offset, payload, deliveries);
            });
        });
    }

    /** Appends at the end of a stack, which others wait for. */
    private void wakeReaders(StackEndModel model) throws Exception {
        long end = model.queue.nextOffset();
        ConsumerGroup group = model.queue.group("readers");
        List<FutureTask<Boolean>> tasks = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        AtomicLong seen = new AtomicLong();
        AtomicBoolean isOver = new AtomicBoolean();
        long _ = group.seekToEnd();
        for (boolean isVirtualReader : new boolean[]{true, true, false}) {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                try (Consumer consumer = group.consumer()) {
                    while (!isOver.get()) {
                        int count = consumer.poll(1, Duration.ofSeconds(HANGS_SECONDS), (_, _, _) -> {
                        });
                        int _ = consumer.acknowledgeUpTo(Long.MAX_VALUE);
                        seen.addAndGet(count);
                    }
                }
                return true;
            });
            tasks.add(task);
            readers.add(isVirtualReader ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task));
        }
        for (String name : List.of("plain append(byte[])", "plain append(list)", "plain typed append")) {
            model.begin();
            inThread("waking readers", () -> StackEnds.run("waking readers by " + name, DEPTHS, random.nextInt(),
                    Objects.requireNonNull(steps.get(name))));
            model.end("waking readers by " + name);
        }
        isOver.set(true);
        // Others are asleep until each has got one.
        for (int i = 0; i < readers.size(); i++) {
            Objects.requireNonNull(steps.get("plain append(byte[])")).run();
        }
        for (int i = 0; i < readers.size(); i++) {
            await("a reader", tasks.get(i), readers.get(i));
        }
        try (Consumer rest = group.consumer()) {
            seen.addAndGet(rest.poll(Integer.MAX_VALUE, (_, _, _) -> {
            }));
        }
        if (seen.get() < model.queue.nextOffset() - end) {
            throw new AssertionError("Readers have got " + seen + " of " + (model.queue.nextOffset() - end));
        }
        model.queue.deleteGroup("readers");
    }

    @SuppressWarnings("InfiniteRecursion") // to the end of the stack
    private static long recurse() {
        return recurse() + 1;
    }

    private void tail(Path queue) throws Exception {
        long[] end = new long[1];
        long records;
        try (Tailer tailer = Tailer.open(queue)) {
            records = 0;
            while (tailer.poll()) {
                records++;
            }
            end[0] = tailer.nextOffset();
        }
        long expected = records;
        inThread("a tailer", () -> {
            long[] seen = new long[2];
            try (Tailer tailer = Tailer.open(queue)) {
                StackEnds.run("tailing", DEPTHS, random.nextInt(), () -> {
                    if (tailer.poll()) {
                        seen[0]++;
                        seen[1] += tailer.segment().byteSize();
                    }
                });
                while (tailer.poll()) {
                    seen[0]++;
                }
                // A poll may have succeeded, and the look at its segment not, but no record is shown twice.
                if (seen[0] != expected || tailer.nextOffset() != end[0]) {
                    throw new AssertionError("The tailer has seen " + seen[0] + " records of " + expected);
                }
                StackEnds.run("seeking", DEPTHS, random.nextInt(), () -> {
                    tailer.seekToEnd();
                    tailer.seek(Instant.EPOCH);
                    tailer.seek(1);
                });
            }
        });
        inThread("opening a tailer", () -> {
            AtomicReference<@Nullable Tailer> one = new AtomicReference<>();
            StackEnds.run("opening a tailer", DEPTHS, random.nextInt(), () -> {
                if (one.getPlain() == null) {
                    one.setPlain(Tailer.open(queue));
                }
                Objects.requireNonNull(one.getPlain()).close();
                one.setPlain(null);
            });
            Tailer left = one.get();
            if (left != null) {
                left.close();
            }
        });
        try (var left = Files.list(queue.resolve("tailers"))) {
            List<Path> files = left.toList();
            if (!files.isEmpty()) {
                throw new AssertionError("Tailers have left " + files);
            }
        }
    }

    private void fill(Path path) throws Exception {
        try (StackEndModel model = new StackEndModel(path,
                new QueueOptions().maxRecords(4).fullTimeout(Duration.ofMillis(1)))) {
            int[] full = new int[1];
            inThread("appending to a full queue",
                    () -> StackEnds.run("appending to a full queue", DEPTHS, random.nextInt(), () -> {
                        try {
                            model.returned(model.queue.append(model.nextBytes()), 1);
                        } catch (QueueFullException e) {
                            full[0]++;
                        }
                    }));
            inThread("waiting for records", () -> StackEnds.run("waiting for records", DEPTHS, random.nextInt(), () -> {
                Delivery _ = model.consumer.poll(Duration.ofMillis(1));
            }));
            if (full[0] == 0 || model.queue.nextOffset() != 4) {
                throw new AssertionError("The queue was full " + full[0] + " times, with " + model.queue.nextOffset());
            }
        }
        requireSound(path);
    }

    private void openAndClose() throws Exception {
        Path path = directory.resolve("closed");
        for (boolean isBackground : new boolean[]{true, false}) {
            for (int i = 0; i < 3; i++) {
                inThread("opening and closing", () -> {
                    AtomicReference<@Nullable Queue> queue = new AtomicReference<>();
                    StackEnds.run("opening", DEPTHS, random.nextInt(), () -> {
                        if (queue.getPlain() == null) {
                            queue.setPlain(Queue.open(path, new QueueOptions().backgroundThread(isBackground)
                                    .segmentSize(8 << 10)
                                    .durability(Durability.groupCommit(Duration.ofMillis(1), 1 << 20))));
                        }
                        Queue opened = Objects.requireNonNull(queue.getPlain());
                        long _ = opened.append(EMPTY);
                        opened.close();
                        queue.setPlain(null);
                    });
                    Queue left = queue.get();
                    if (left != null) {
                        left.close();
                    }
                });
                requireSound(path);
            }
        }
    }

    // --- Threads ---

    private void inThread(String what, StackEnds.Step step) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(() -> {
            step.run();
            return true;
        });
        Thread thread = isVirtual ? Thread.ofVirtual().start(task) : Thread.ofPlatform().start(task);
        await(what, task, thread);
    }

    static void await(String what, FutureTask<Boolean> task, Thread thread) throws Exception {
        try {
            boolean _ = task.get(HANGS_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            System.out.println(what + " hangs: " + thread);
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

    static void requireSound(Path path) {
        QueueCheck check = QueueFiles.verify(path);
        if (!check.isSound()) {
            throw new AssertionError(check.damages() + " " + check.notes());
        }
    }
}
