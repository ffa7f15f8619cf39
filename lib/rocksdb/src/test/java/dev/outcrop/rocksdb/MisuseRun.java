package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.OpenDatabases;
import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.MisuseMemory;
import dev.outcrop.testsupport.misuse.MisuseMethod;
import dev.outcrop.testsupport.misuse.MisuseMethods;
import dev.outcrop.testsupport.misuse.MisuseObjects;
import dev.outcrop.testsupport.misuse.MisuseProgram;
import dev.outcrop.testsupport.misuse.MisuseTrace;
import dev.outcrop.testsupport.misuse.MisuseWatch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@link MisuseRunTest}: calls everything public, with arguments good and bad, on objects open and closed, from several
 * threads. Arguments: a directory for the databases, the file for the {@linkplain MisuseTrace last calls}, seed, number of calls.
 *
 * <p>The calls are made in rounds, each with objects of its own, all of which are closed at its end. The seed decides what each thread
 * calls; when threads meet, and how often dear methods are called, also depends on the machine. Callbacks make calls too, and some calls
 * are made where the stack ends.
 *
 * <p>Ends with 0 if no call threw what it may not, none hung and no native memory was lost.
 */
final class MisuseRun {
    static final int THREADS = 4;
    /** Must be a multiple of 4. */
    private static final int ROUNDS = TestSize.choose("outcrop.misuse.rounds", 8, 16);
    private static final int UPKEEP = 500;
    private static final int MOST_FAILURES = 20;
    /** Each thread tries twice to close what is left: something may need another thing to be closed first. */
    private static final int CLOSING_ROUNDS = 2 * THREADS;
    private static final long LARGE = 1 << 20;
    /** One of so many calls is made where the stack ends. */
    private static final int AT_END = 200;
    /** How many frames before the end, of about 100 bytes where they are compiled. */
    private static final int LAST_FRAMES = 3000;
    /** Calls that a method must have had before: what reflection makes for the first ones is the JDK's, and needs much stack. */
    private static final int NEW_CALLS = 40;
    /** Tells of callbacks that throw, which they do all the time. */
    private static final Logger LOG = Logger.getLogger(RocksDB.class.getPackageName());

    private final Path directory;
    private final long seed;
    private final long callsOfARound;
    private final MisuseMethods methods = MisuseApi.methods();
    private final List<Class<?>> publicTypes = MisuseApi.publicTypes();
    private final MisuseTrace trace;
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong callsAtEnd = new AtomicLong();
    private final AtomicLong overflows = new AtomicLong();
    private int lyingComparators;
    private final MisuseMemory memory = new MisuseMemory(ROUNDS);
    /** The number of each thread's last call; only that thread's. */
    private final long[] last = new long[THREADS];
    /** By method and exception: one of each kind is enough. */
    private final Map<String, Failure> failures = new ConcurrentHashMap<>();
    private final MisuseWatch watch = new MisuseWatch(THREADS);
    @SuppressWarnings("ThreadLocalUsage") // of one run
    private final ThreadLocal<@Nullable Worker> current = new ThreadLocal<>();

    private MisuseRun(Path directory, Path trace, long seed, long calls) throws IOException {
        this.directory = directory;
        this.trace = new MisuseTrace(trace, THREADS);
        this.seed = seed;
        this.callsOfARound = calls / ROUNDS;
    }

    static void main(String[] args) throws Exception {
        LOG.setLevel(Level.OFF);
        MisuseRun run = new MisuseRun(Path.of(args[0]), Path.of(args[1]), Long.parseLong(args[2]),
                Long.parseLong(args[3]));
        boolean good = run.run();
        System.out.println(good ? "done" : "failed");
        System.exit(good ? 0 : 1);
    }

    private boolean run() throws Exception {
        watch.start();
        long start = System.nanoTime();
        for (int round = 0; round < ROUNDS && failures.size() < MOST_FAILURES; round++) {
            try {
                new Round(directory.resolve("round" + round), seed + round).run();
                endBackgroundThreads();
                memory.measure(round);
            } catch (BrokenBarrierException e) {
                // A thread has failed, and told how.
                break;
            }
        }
        long seconds = (System.nanoTime() - start) / 1_000_000_000;
        System.out.println(calls + " calls of " + methods.all().size() + " methods in " + seconds + " s");
        System.out.printf(
                "%d calls where the stack ends, of which %d overflowed; %d databases had to be closed for their comparator%n",
                callsAtEnd.get(), overflows.get(), lyingComparators);
        methods.report();
        failures.values().forEach(Failure::print);
        // After a failure there may be rounds that were not measured.
        return failures.isEmpty() && memory.isWithoutLeak(calls.get());
    }

    /** A round may have started a thousand, each of which takes some kilobytes for as long as the process asks for it. */
    private static void endBackgroundThreads() {
        Env env = Env.defaultEnv();
        for (Env.ThreadPool pool : Env.ThreadPool.values()) {
            env.backgroundThreads(pool, 1);
        }
    }

    /** A call, and what it may not have thrown. */
    private record Failure(String call, Throwable thrown) {
        void print() {
            System.out.println("UNDOCUMENTED: " + call);
            thrown.printStackTrace(System.out);
        }
    }

    /** Some calls with databases and objects of their own. */
    private final class Round {
        private final Path work;
        private final long seed;
        private final MisuseSegments segments;
        private final MisuseObjects objects = new MisuseObjects(publicTypes, THREADS);
        private final MisuseDatabases databases;
        private final MisuseFiles files;
        private final MisuseArguments arguments;
        private final CyclicBarrier together = new CyclicBarrier(THREADS + 1);

        Round(Path work, long seed) throws IOException, InterruptedException {
            this.work = Files.createDirectories(work);
            this.seed = seed;
            this.segments = new MisuseSegments(work, THREADS);
            MisuseCallbacks callbacks = new MisuseCallbacks(objects, segments, new Caller());
            this.databases = new MisuseDatabases(work, callbacks, objects);
            this.files = new MisuseFiles(work, databases, objects);
            this.arguments = new MisuseArguments(work, objects, segments, databases, files, callbacks);
        }

        void run() throws Exception {
            databases.openAll(new Random(seed));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Worker worker = new Worker(this, i);
                // The last one is virtual, to which some things are denied.
                threads.add(i == THREADS - 1
                        ? Thread.ofVirtual().name("misuse " + i).start(worker)
                        : Thread.ofPlatform().name("misuse " + i).start(worker));
            }
            together.await();
            databases.closeAll();
            objects.closeAll();
            for (int i = 0; i < CLOSING_ROUNDS; i++) {
                together.await();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            segments.close();
            lyingComparators += databases.closedForTheirComparator();
            MisuseProgram.delete(work);
            if (failures.isEmpty() && !(OpenDatabases.count() == 0 && objects.left().isEmpty())) {
                failures.put("still open", new Failure("closing everything", new AssertionError(
                        OpenDatabases.count() + " databases are still open; left: " + objects.left())));
            }
            objects.forget();
            segments.forget();
        }
    }

    /** The state that callbacks see of the thread that calls them. */
    private final class Caller implements MisuseCallbacks.Caller {
        @Override
        public void oneMoreCall() {
            Worker worker = current.get();
            if (worker != null && worker.depth < 2) {
                worker.call();
            }
        }

        @Override
        public boolean isAtEndOfStack() {
            Worker worker = current.get();
            return worker != null && worker.isAtEnd;
        }
    }

    /** One of the threads of a round. */
    private final class Worker implements Runnable {
        private final Round round;
        private final int index;
        private final Random random;
        private int depth;
        private boolean isAtEnd;
        private long left = callsOfARound / THREADS;
        private @Nullable Arena arena;

        Worker(Round round, int index) {
            this.round = round;
            this.index = index;
            this.random = new Random(31 * round.seed + index);
        }

        @Override
        public void run() {
            current.set(this);
            try {
                for (int i = 0; left > 0 && failures.size() < MOST_FAILURES; i++) {
                    if (i % UPKEEP == 0) {
                        upkeep();
                    }
                    call();
                }
                round.together.await();
                for (int i = 0; i < CLOSING_ROUNDS; i++) {
                    round.together.await();
                    round.objects.closeLeft(index);
                }
                if (arena != null) {
                    arena.close();
                }
            } catch (BrokenBarrierException e) {
                // Another thread has failed.
            } catch (Throwable e) {
                failures.put("thread " + index, new Failure("upkeep of thread " + index, e));
                round.together.reset();
            }
        }

        private void upkeep() throws IOException {
            if (arena != null) {
                arena.close();
            }
            Arena fresh = Arena.ofConfined();
            arena = fresh;
            round.segments.lend(index, fresh);
            round.segments.closeOne(random.nextInt(4));
            round.databases.openAgain(random);
            round.files.makeOne(random);
            round.objects.closeLeft(index);
        }

        void call() {
            MisuseMethod method = methods.any(random);
            Object target = method.needsTarget() ? round.objects.any(method.owner, random) : null;
            if (target == null && method.needsTarget()) {
                return;
            }
            @Nullable
            Object[] given = round.arguments.of(method, target, random);
            trace.write(index, ++last[index], MisuseTrace.describe(method, target, given));
            calls.incrementAndGet();
            left--;
            depth++;
            watch.begin(index);
            try {
                isAtEnd = depth == 1 && method.calls() > NEW_CALLS && random.nextInt(AT_END) == 0;
                keep(isAtEnd ? atEndOfStack(method, target, given) : method.call(target, given));
                goOn(method, target);
                for (Object argument : given) {
                    // There may be something now.
                    if (argument instanceof Path path) {
                        round.arguments.keep(random, path);
                    }
                }
            } catch (InvocationTargetException e) {
                judge(Objects.requireNonNull(e.getCause()), method, target, given);
            } catch (StackOverflowError e) {
                if (!isAtEnd) {
                    throw e;
                }
                overflows.incrementAndGet();
            } finally {
                if (depth == 1) {
                    isAtEnd = false;
                }
                // The JVM interrupts a thread that touches the memory of a shared arena while another closes it.
                Thread.interrupted();
                depth--;
                if (depth == 0) {
                    watch.end(index);
                }
            }
        }

        private @Nullable Object atEndOfStack(MisuseMethod method, @Nullable Object target, @Nullable Object[] given)
                throws InvocationTargetException {
            EndOfStack end = new EndOfStack(method, target, given, random.nextInt(LAST_FRAMES));
            callsAtEnd.incrementAndGet();
            int _ = end.descend();
            return end.result();
        }

        private void judge(Throwable thrown, MisuseMethod method, @Nullable Object target, @Nullable Object[] given) {
            if (isAtEnd && thrown instanceof StackOverflowError) {
                overflows.incrementAndGet();
            } else if (!isDocumented(thrown, given)) {
                failures.putIfAbsent(method.name + thrown.getClass(),
                        new Failure(MisuseTrace.describe(method, target, given), thrown));
            }
        }

        /** Undoes a call that would keep others waiting. */
        private void goOn(MisuseMethod method, @Nullable Object target) {
            if (method.name.equals("BackgroundWork.pause") && target instanceof BackgroundWork work) {
                try {
                    work.resume();
                } catch (IllegalStateException e) {
                    // Another thread has done so, or has closed the database.
                }
            }
        }

        private static void close(BaseStream<?, ?> stream) {
            try {
                stream.close();
            } catch (IllegalStateException e) {
                // Another thread is using its transaction, with which it ends.
            }
        }

        /** Takes in what a call has returned. */
        private void keep(@Nullable Object result) {
            switch (result) {
                case null -> {
                    return;
                }
                case MemorySegment segment -> round.segments.keep(random, segment);
                case Path path -> round.arguments.keep(random, path);
                case List<?> list -> list.stream().limit(100).forEach(this::keep);
                case Map<?, ?> map -> map.values().forEach(this::keep);
                case BaseStream<?, ?> stream -> close(stream);
                default -> round.objects.add(result, index, random);
            }
        }
    }

    /** A call with so many frames left for it, of this class. */
    private static final class EndOfStack {
        private final MisuseMethod method;
        private final @Nullable Object target;
        private final @Nullable Object[] given;
        private final int framesLeft;
        private @Nullable Object result;
        private @Nullable Throwable thrown;

        EndOfStack(MisuseMethod method, @Nullable Object target, @Nullable Object[] given, int framesLeft) {
            this.method = method;
            this.target = target;
            this.given = given;
            this.framesLeft = framesLeft;
        }

        /** Goes to the end, makes the call on the way back, and returns how many frames there have been below. */
        @SuppressWarnings("InfiniteRecursion") // It ends where the stack does.
        int descend() {
            int below;
            try {
                below = descend();
            } catch (StackOverflowError e) {
                below = 0;
            }
            if (below == framesLeft) {
                try {
                    result = method.call(target, given);
                } catch (InvocationTargetException | StackOverflowError e) {
                    // The latter if it came before the method was entered, or when it had returned.
                    thrown = e;
                }
            }
            return below + 1;
        }

        @Nullable
        Object result() throws InvocationTargetException {
            return switch (thrown) {
                case null -> result;
                case InvocationTargetException e -> throw e;
                case Error e -> throw e;
                default -> throw new AssertionError(thrown);
            };
        }
    }

    /** Whether the API says that it may throw this. */
    private static boolean isDocumented(Throwable thrown, @Nullable Object[] given) {
        return switch (thrown) {
            case NullPointerException _ -> MisuseArguments.hasNull(given);
            case IllegalArgumentException _,IllegalStateException _,IndexOutOfBoundsException _ -> true;
            case NoSuchElementException _,UnsupportedOperationException _,WrongThreadException _ -> true;
            case RocksDBException _,MisuseCallbacks.Provoked _ -> true;
            case OutOfMemoryError _ -> asksForMuch(given);
            default -> false;
        };
    }

    private static boolean asksForMuch(@Nullable Object[] given) {
        for (Object argument : given) {
            if (argument instanceof Number number && Math.abs(number.doubleValue()) > LARGE) {
                return true;
            }
        }
        return false;
    }
}
