package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.MisuseMemory;
import dev.outcrop.testsupport.misuse.MisuseMethod;
import dev.outcrop.testsupport.misuse.MisuseMethods;
import dev.outcrop.testsupport.misuse.MisuseObjects;
import dev.outcrop.testsupport.misuse.MisuseProgram;
import dev.outcrop.testsupport.misuse.MisuseTrace;
import dev.outcrop.testsupport.misuse.MisuseWatch;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Env;
import org.rocksdb.Priority;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.util.BytewiseComparator;

/**
 * The program of {@link MisuseRunTest}: calls everything public in {@code org.rocksdb}, with arguments good and bad, on objects open and
 * closed, from several threads. Arguments: as {@link MisuseProgram} says.
 *
 * <p>The calls are made in rounds, each with objects of its own, all of which are closed at its end.
 */
final class MisuseRun {
    static final int THREADS = 4;
    /** Must be a multiple of 4, and at least 8. */
    private static final int ROUNDS = TestSize.choose("outcrop.misuse.rounds", 8, 16);
    private static final int UPKEEP = 200;
    private static final int MOST_FAILURES = 20;
    private static final long LARGE = 1 << 20;

    private static final String ADDRESS = "takes the address of a native object, and believes it";
    private static final String FOR_GOOD = "cannot be undone, and makes all later flushes of the process wait for others";

    /** Methods that are not called, and why. */
    private static final Map<String, String> LEFT_OUT = Map.of("setNativeHandle", ADDRESS, "resetNativeHandle", ADDRESS,
            "TransactionLogIterator$BatchResult.new", ADDRESS, "lowerThreadPoolIOPriority", FOR_GOOD,
            "lowerThreadPoolCPUPriority", FOR_GOOD);

    private final Path directory;
    private final long seed;
    private final long callsOfARound;
    private final List<Class<?>> publicTypes = publicTypes();
    private final MisuseMethods methods = new MisuseMethods(publicTypes, AutoCloseable.class::isAssignableFrom,
            method -> method.name.endsWith(".close") || method.name.endsWith(".closeE"), MisuseRun::isLeftOut);
    private final MisuseTrace trace;
    private final MisuseMemory memory = new MisuseMemory(ROUNDS);
    private final MisuseWatch watch = new MisuseWatch(THREADS);
    private final AtomicLong calls = new AtomicLong();
    /** The number of each thread's last call; only that thread's. */
    private final long[] last = new long[THREADS];
    /** By method and exception: one of each kind is enough. */
    private final Map<String, Failure> failures = new ConcurrentHashMap<>();

    /** A call, and what it may not have thrown. */
    private record Failure(String call, Throwable thrown) {
    }

    private MisuseRun(Path directory, Path trace, long seed, long calls) throws IOException {
        this.directory = directory;
        this.trace = new MisuseTrace(trace, THREADS);
        this.seed = seed;
        this.callsOfARound = calls / ROUNDS;
    }

    static void main(String[] args) throws Exception {
        RocksDB.loadLibrary();
        boolean good = new MisuseRun(Path.of(args[0]), Path.of(args[1]), Long.parseLong(args[2]),
                Long.parseLong(args[3])).run();
        System.out.println(good ? "done" : "failed");
        System.exit(good ? 0 : 1);
    }

    private static List<Class<?>> publicTypes() throws IOException {
        return Stream.concat(MisuseMethods.publicTypes(RocksDB.class).stream(),
                MisuseMethods.publicTypes(BytewiseComparator.class).stream()).toList();
    }

    private static boolean isLeftOut(MisuseMethod method) {
        return LEFT_OUT.containsKey(method.name)
                || LEFT_OUT.containsKey(method.name.substring(method.name.lastIndexOf('.') + 1));
    }

    /** A round may have started a thousand, each of which takes some kilobytes for as long as the process asks for it. */
    private static void endBackgroundThreads() {
        for (Priority pool : EnumSet.complementOf(EnumSet.of(Priority.TOTAL))) {
            Env _ = Env.getDefault().setBackgroundThreads(1, pool);
        }
    }

    private boolean run() throws Exception {
        watch.start();
        long start = System.nanoTime();
        for (int round = 0; round < ROUNDS && failures.size() < MOST_FAILURES; round++) {
            new Round(directory.resolve("round" + round), seed + round).run();
            endBackgroundThreads();
            memory.measure(round);
        }
        System.out.println(calls + " calls of " + methods.all().size() + " methods in "
                + (System.nanoTime() - start) / 1_000_000_000 + " s");
        methods.report();
        failures.values().forEach(failure -> {
            System.out.println("UNEXPECTED: " + failure.call);
            failure.thrown.printStackTrace(System.out);
        });
        boolean withoutLeak = memory.isWithoutLeak(calls.get());
        System.out.println(withoutLeak ? "nothing leaked" : "native memory has grown");
        return failures.isEmpty() && withoutLeak;
    }

    /** Some calls with databases and objects of their own. */
    private final class Round {
        private final Path work;
        private final long seed;
        private final MisuseObjects objects = new MisuseObjects(publicTypes, THREADS);
        private final MisuseWorld world;

        Round(Path work, long seed) throws IOException {
            this.work = Files.createDirectories(work);
            this.seed = seed;
            this.world = new MisuseWorld(work, objects);
        }

        void run() throws Exception {
            world.openAll(new Random(seed));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Worker worker = new Worker(this, i);
                // The last one is virtual, to which some things are denied.
                threads.add(i == THREADS - 1
                        ? Thread.ofVirtual().name("misuse " + i).start(worker)
                        : Thread.ofPlatform().name("misuse " + i).start(worker));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            watch.begin(0);
            objects.closeAll();
            world.closeAll();
            for (int i = 0; i < THREADS; i++) {
                objects.closeLeft(i);
            }
            watch.end(0);
            if (failures.isEmpty() && !objects.left().isEmpty()) {
                failures.put("left", new Failure("closing everything", new AssertionError("left: " + objects.left())));
            }
            objects.forget();
            MisuseProgram.delete(work);
        }
    }

    /** One of the threads of a round. */
    private final class Worker implements Runnable {
        private final Round round;
        private final int index;
        private final Random random;
        private final MisuseArguments arguments;

        Worker(Round round, int index) {
            this.round = round;
            this.index = index;
            this.random = new Random(31 * round.seed + index);
            this.arguments = new MisuseArguments(round.world, round.objects, index, random);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < callsOfARound / THREADS && failures.size() < MOST_FAILURES; i++) {
                    if (i % UPKEEP == 0) {
                        round.world.openAgain(random);
                        round.objects.closeLeft(index);
                    }
                    boolean called = false;
                    while (!called) {
                        called = call();
                    }
                }
            } catch (Throwable e) {
                failures.put("thread " + index, new Failure("upkeep of thread " + index, e));
            }
        }

        /** Whether there was an object to call a method of. */
        private boolean call() {
            MisuseMethod method = methods.any(random);
            Object target = method.needsTarget() ? arguments.object(method.owner) : null;
            if (target == null && method.needsTarget()) {
                return false;
            }
            @Nullable
            Object[] given = arguments.of(method, target);
            trace.write(index, ++last[index], MisuseTrace.describe(method, target, given));
            calls.incrementAndGet();
            watch.begin(index);
            try {
                keep(method.call(target, given));
                goOn(method, target);
                Arrays.stream(given).filter(Collection.class::isInstance).forEach(this::keep);
            } catch (InvocationTargetException e) {
                Throwable thrown = Objects.requireNonNull(e.getCause());
                if (!isExpected(thrown, given)) {
                    failures.putIfAbsent(method.name + thrown.getClass(),
                            new Failure(MisuseTrace.describe(method, target, given), thrown));
                }
            } finally {
                watch.end(index);
            }
            return true;
        }

        /** Undoes a call that would keep others waiting. */
        private void goOn(MisuseMethod method, @Nullable Object target) {
            if (target instanceof RocksDB database) {
                try {
                    switch (method.name.substring(method.name.indexOf('.') + 1)) {
                        case "pauseBackgroundWork" -> database.continueBackgroundWork();
                        case "abortAllCompactions" -> database.resumeAllCompactions();
                        default -> {
                            // No call waits.
                        }
                    }
                } catch (RocksDBException | IllegalStateException e) {
                    // Another thread has done so, or has closed the database.
                }
            }
        }

        /** Takes in what a call has returned. */
        private void keep(@Nullable Object result) {
            switch (result) {
                case null -> {
                    return;
                }
                case Collection<?> many -> many.stream().limit(20).forEach(this::keep);
                case Map<?, ?> map -> map.values().stream().limit(20).forEach(this::keep);
                case Object[] many -> Arrays.stream(many).limit(20).forEach(this::keep);
                default -> round.objects.add(result, index, random);
            }
        }
    }

    /** Whether programs must expect it. */
    static boolean isExpected(Throwable thrown, @Nullable Object[] given) {
        return switch (thrown) {
            // A deadlock path can be made with null, as published.
            case NullPointerException _ -> MisuseArguments.hasNull(given)
                    || Arrays.stream(thrown.getStackTrace()).limit(1)
                            .anyMatch(at -> at.getClassName().equals(TransactionDB.DeadlockPath.class.getName()));
            case IllegalArgumentException _,IllegalStateException _,IndexOutOfBoundsException _ -> true;
            case NoSuchElementException _,UnsupportedOperationException _ -> true;
            case RocksDBException _,MisuseArguments.Provoked _ -> true;
            // As published; the class is not public.
            case RuntimeException e when e.getClass().getName().equals("org.rocksdb.OptionString$Parser$Exception") ->
                true;
            case OutOfMemoryError _ -> Arrays.stream(given).anyMatch(
                    argument -> argument instanceof Number number && Math.abs(number.doubleValue()) > LARGE);
            default -> false;
        };
    }
}
