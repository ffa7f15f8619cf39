package dev.outcrop.rocksdb;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@link NestedCallsTest}: makes each call of {@link NestedCall} such that RocksDB calls one callback, and each other call
 * from inside that. Arguments: a directory, the file for the numbers and the name of what is tried, the seed, the number of what to begin
 * with, of how many outer calls and how many calls inside each of them pairs are tried, and the callbacks, each with what its database can
 * do.
 *
 * <p>Ends with 0 if each call from inside had either the right result or an exception that names the callback.
 */
final class NestedCalls {
    /** In the trace: the index of the callback, the number of the pair, and its name. */
    static final int CALLBACK = 0;
    static final int NUMBER = 4;
    static final int LENGTH = 8;
    static final int TEXT = 12;
    static final int TRACE_BYTES = 512;
    static final int HANGS = 3;
    /** A crash ends with 1. */
    static final int WRONG = 4;
    private static final long TO_BEGIN_NANOS = 30_000_000_000L;
    private static final long LONGEST_NANOS = Long.getLong("outcrop.nested.seconds", 60) * 1_000_000_000;
    private static final int MOST_CALLS = 6;
    private static final int SHOWN = 30;
    private static final int FIRST_CALLBACK = 5;
    private static final Logger LOG = Logger.getLogger(RocksDB.class.getPackageName());

    /** When the current pair began. */
    private static volatile long since = System.nanoTime() + TO_BEGIN_NANOS;

    private final NestedKind kind;
    private final NestedWorld.Variant variant;
    private final Path directory;
    private final MappedByteBuffer trace;
    private final long seed;
    private final int first;
    private final int mostInners;
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private int tried;
    private int right;
    private int refused;
    private final List<String> reachedBy = new ArrayList<>();
    private final List<String> impossible = new ArrayList<>();

    private NestedCalls(String callback, String[] args, int first, MappedByteBuffer trace) {
        String[] names = callback.split(" ", -1);
        this.kind = NestedKind.valueOf(names[0]);
        this.variant = NestedWorld.Variant.valueOf(names[1]);
        this.directory = Path.of(args[0], callback);
        this.trace = trace;
        this.seed = Long.parseLong(args[2]) + callback.hashCode();
        this.first = first;
        this.mostInners = Integer.parseInt(args[4]);
    }

    static void main(String[] args) throws Exception {
        LOG.setLevel(Level.OFF);
        MappedByteBuffer trace;
        try (FileChannel channel = FileChannel.open(Path.of(args[1]), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            trace = channel.map(FileChannel.MapMode.READ_WRITE, 0, TRACE_BYTES);
        }
        Thread.ofPlatform().daemon().name("watch").start(NestedCalls::watch);
        boolean isRight = true;
        for (int i = FIRST_CALLBACK; i < args.length; i++) {
            trace.putInt(CALLBACK, i - FIRST_CALLBACK);
            isRight &= new NestedCalls(args[i], args, i == FIRST_CALLBACK ? Integer.parseInt(args[3]) : 0, trace)
                    .isRight();
        }
        System.out.flush();
        // Without waiting for what a failure may have left.
        Runtime.getRuntime().halt(isRight ? 0 : WRONG);
    }

    private boolean isRight() throws Exception {
        Files.createDirectories(directory);
        run();
        NestedWorld.delete(directory);
        System.out.println(kind + " " + variant + ": tried " + tried + ", right " + right + ", refused " + refused);
        System.out.println("  reached by " + reachedBy);
        System.out.println("  impossible " + impossible);
        System.out.println("  refused inside " + refusals);
        failures.entrySet().stream().limit(SHOWN)
                .forEach(failure -> System.out.println("WRONG " + failure.getValue() + ": " + failure.getKey()));
        return failures.isEmpty();
    }

    private void run() throws Exception {
        List<NestedCall> outers = NestedCall.all(variant);
        List<NestedCall> inners = new ArrayList<>(outers);
        List<NestedCall> inside = NestedCall.inside();
        inners.addAll(inside);
        Collections.shuffle(outers, new Random(seed));
        NestedWorld world = new NestedWorld(kind, variant, directory);
        Map<NestedCall, Integer> probes = new HashMap<>();
        for (int i = 0; i < outers.size(); i++) {
            NestedCall outer = outers.get(i);
            note(i * inners.size() - 1, outer.name() + " > nothing");
            int calls = probe(world, outer, probes);
            if (calls <= 0) {
                continue;
            }
            reachedBy.add(outer.name());
            Random random = new Random(seed + i);
            Collections.shuffle(inners, random);
            int left = mostInners;
            for (int j = 0; j < inners.size() && left > 0; j++) {
                NestedCall inner = inners.get(j);
                int call = 1 + random.nextInt(Math.min(calls, MOST_CALLS));
                if (!inside.contains(inner) && probe(world, inner, probes) < 0) {
                    continue;
                }
                left--;
                if (i * inners.size() + j >= first) {
                    note(i * inners.size() + j, outer.name() + " > " + inner.name());
                    attempt(world, outer, inner, call);
                }
            }
        }
        note(outers.size() * inners.size(), "the end");
        world.end();
    }

    /** Writes down what is tried, where it can be read when the process has crashed. */
    private void note(int number, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        trace.putInt(NUMBER, number).putInt(LENGTH, bytes.length).put(TEXT, bytes);
        since = System.nanoTime() + (number < first ? TO_BEGIN_NANOS : 0);
    }

    /** How often a call calls the callback, -1 for one that this database cannot make. Each is asked once. */
    private int probe(NestedWorld world, NestedCall outer, Map<NestedCall, Integer> probes) throws Exception {
        Integer known = probes.get(outer);
        if (known != null) {
            return known;
        }
        int calls = -1;
        try {
            world.db();
            NestedCall.Run call = outer.prepare().in(world);
            world.arm(0, () -> {
            });
            call.run();
            settle(world);
            calls = world.disarm();
        } catch (Exception | AssertionError e) {
            impossible.add(outer.name() + ": " + e);
        }
        world.tidy();
        probes.put(outer, calls);
        return calls;
    }

    /** Lets the background do what it was asked for. */
    private static void settle(NestedWorld world) {
        if (!world.isClosed()) {
            try {
                world.db().backgroundWork().waitForCompact();
            } catch (RocksDBException e) {
                // Of a call that stops the background.
            }
        }
    }

    private void attempt(NestedWorld world, NestedCall outer, NestedCall inner, int call) throws Exception {
        world.quick(false);
        String both = outer.name() + " > " + inner.name();
        Inside inside;
        try {
            world.db();
            NestedCall.Run outerCall = outer.prepare().in(world);
            world.quick(true);
            inside = new Inside(inner.prepare().in(world));
            world.quick(false);
            world.arm(call, inside);
            try {
                outerCall.run();
                settle(world);
            } finally {
                world.disarm();
            }
        } catch (Exception | AssertionError e) {
            fail(both + ": outside", e);
            world.disarm();
            world.tidy();
            return;
        }
        try {
            world.tidy();
        } catch (Exception | AssertionError e) {
            fail(both + ": afterwards", e);
        }
        if (!inside.isDone) {
            return;
        }
        tried++;
        Throwable thrown = inside.thrown;
        if (thrown == null) {
            right++;
        } else if ((thrown instanceof IllegalStateException || thrown instanceof RocksDBException)
                && kind.isNamedBy(thrown)) {
            refused++;
            refusals.merge(inner.name(), 1, Integer::sum);
        } else {
            fail(both + ": inside", thrown);
        }
    }

    private void fail(String what, Throwable thrown) {
        if (failures.merge(what + ": " + thrown, 1, Integer::sum) == 1 && failures.size() < 4) {
            thrown.printStackTrace(System.out);
        }
    }

    /** The action inside the callback, and its outcome. */
    private static final class Inside implements Runnable {
        private final NestedCall.Run call;
        private volatile boolean isDone;
        private volatile @Nullable Throwable thrown;

        Inside(NestedCall.Run call) {
            this.call = call;
        }

        @Override
        public void run() {
            try {
                call.run();
            } catch (Throwable e) {
                thrown = e;
            }
            isDone = true;
        }
    }

    private static void watch() {
        try {
            while (System.nanoTime() - since < LONGEST_NANOS) {
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            return;
        }
        System.out.println("HANGS");
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            System.out.println(thread);
            for (StackTraceElement element : stack) {
                System.out.println("    " + element);
            }
        });
        System.out.flush();
        Runtime.getRuntime().halt(HANGS);
    }
}
