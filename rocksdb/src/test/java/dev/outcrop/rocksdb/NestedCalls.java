package dev.outcrop.rocksdb;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The program of {@link NestedCallsTest}: makes each call of {@link NestedCall} such that RocksDB calls one callback, and each other call
 * from inside that. Arguments: the callback, what the database can do, a directory, the file for the number and the name of what is tried,
 * the seed, the number of what to begin with, how many pairs one is tried of.
 *
 * <p>Ends with 0 if each call from inside had either the right result or an exception that names the callback.
 */
final class NestedCalls {
    static final int NUMBER = 0;
    static final int TEXT = 8;
    static final int TRACE_BYTES = 512;
    static final int HANGS = 3;
    /** A crash ends with 1. */
    static final int WRONG = 4;
    private static final long TO_BEGIN_NANOS = 30_000_000_000L;
    private static final long LONGEST_NANOS = Long.getLong("outcrop.nested.seconds", 20) * 1_000_000_000;
    private static final int MOST_CALLS = 6;
    private static final int SHOWN = 30;
    private static final Logger LOG = Logger.getLogger(RocksDB.class.getPackageName());

    private final NestedKind kind;
    private final NestedWorld.Variant variant;
    private final Path directory;
    private final MappedByteBuffer trace;
    private final Random random;
    private final int first;
    private final int oneOf;
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private int tried;
    private int right;
    private int refused;
    private volatile long since = System.nanoTime() + TO_BEGIN_NANOS;
    private final List<String> reachedBy = new ArrayList<>();
    private final List<String> impossible = new ArrayList<>();

    private NestedCalls(String[] args) throws IOException {
        this.kind = NestedKind.valueOf(args[0]);
        this.variant = NestedWorld.Variant.valueOf(args[1]);
        this.directory = Path.of(args[2]);
        try (FileChannel channel = FileChannel.open(Path.of(args[3]), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            this.trace = channel.map(FileChannel.MapMode.READ_WRITE, 0, TRACE_BYTES);
        }
        this.random = new Random(Long.parseLong(args[4]));
        this.first = Integer.parseInt(args[5]);
        this.oneOf = Integer.parseInt(args[6]);
    }

    static void main(String[] args) throws Exception {
        LOG.setLevel(Level.OFF);
        NestedCalls calls = new NestedCalls(args);
        Thread.ofPlatform().daemon().name("watch").start(calls::watch);
        calls.run();
        System.out.println("tried " + calls.tried + ", right " + calls.right + ", refused " + calls.refused);
        System.out.println("reached by " + calls.reachedBy);
        System.out.println("impossible " + calls.impossible);
        System.out.println("refused inside " + calls.refusals);
        System.out.println(calls.failures.size() + " failures");
        calls.failures.entrySet().stream().limit(SHOWN)
                .forEach(failure -> System.out.println("WRONG " + failure.getValue() + ": " + failure.getKey()));
        System.out.flush();
        // Without waiting for what a failure may have left.
        Runtime.getRuntime().halt(calls.failures.isEmpty() ? 0 : WRONG);
    }

    private void run() throws Exception {
        List<NestedCall> outers = NestedCall.all(variant);
        List<NestedCall> inners = new ArrayList<>(outers);
        List<NestedCall> inside = NestedCall.inside();
        inners.addAll(inside);
        NestedWorld world = new NestedWorld(kind, variant, directory);
        int[] calls = new int[outers.size()];
        Set<NestedCall> possible = new HashSet<>(inside);
        for (int i = 0; i < calls.length; i++) {
            note(first - 1, outers.get(i).name() + " > nothing");
            calls[i] = probe(world, outers.get(i), possible);
        }
        for (int i = 0; i < outers.size(); i++) {
            int from = i * inners.size();
            for (int j = Math.max(0, first - from); calls[i] > 0 && j < inners.size(); j++) {
                NestedCall inner = inners.get(j);
                note(from + j, outers.get(i).name() + " > " + inner.name());
                if (possible.contains(inner) && random.nextInt(oneOf) == 0) {
                    attempt(world, outers.get(i), inner, 1 + random.nextInt(Math.min(calls[i], MOST_CALLS)));
                }
            }
        }
        note(outers.size() * inners.size(), "the end");
        world.end();
    }

    /** Writes down what is tried, where it can be read when the process has crashed. */
    private void note(int number, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        trace.putInt(NUMBER, number).putInt(NUMBER + Integer.BYTES, bytes.length).put(TEXT, bytes);
        since = System.nanoTime() + (number < first ? TO_BEGIN_NANOS : 0);
    }

    /** How often a call calls the callback; 0 for one that this database cannot make. */
    private int probe(NestedWorld world, NestedCall outer, Set<NestedCall> possible) throws Exception {
        int calls = 0;
        try {
            world.db();
            NestedCall.Run call = outer.prepare().in(world);
            world.arm(0, () -> {
            });
            call.run();
            settle(world);
            calls = world.disarm();
            possible.add(outer);
        } catch (Exception | AssertionError e) {
            impossible.add(outer.name() + ": " + e);
        }
        world.tidy();
        if (calls > 0) {
            reachedBy.add(outer.name());
        }
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

    /** What is done inside the callback, and what came of it. */
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

    private void watch() {
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
