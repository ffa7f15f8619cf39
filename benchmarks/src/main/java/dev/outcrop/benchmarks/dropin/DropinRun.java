package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.turns.CFunctions;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import dev.outcrop.benchmarks.turns.Turns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a case: the published jar and ours take turns with the same program, and C with a function that does
 * the same. The three work on one open database if there is such a function; otherwise each library has one.
 */
final class DropinRun {
    static final String CLASSES = "classes";
    static final String ORDER = "order";
    static final String OPERATION = "operation";
    static final String KEYS = "keys";
    static final String VALUE_BYTES = "valueBytes";
    static final String THREADS = "threads";
    static final String ROUNDS = "rounds";
    static final String TURN = "turn";
    static final String WARM_UP = "warmUp";
    /** What is written in so many rounds stays far below the size of a memtable. */
    private static final int ROUNDS_OF_A_DATABASE = 8;
    /** No thread writes so many keys. */
    private static final long KEYS_OF_A_THREAD = 1L << 40;
    private static final long DISTANCE = 0x5851F42D4C957F2DL;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final Operation operation = Operation.valueOf(Settings.text(OPERATION));
    private final int threads = Settings.number(THREADS);
    private final int operations = operation.operations(Settings.number(VALUE_BYTES), Settings.number(KEYS), threads);
    private final Random order = new Random(Long.parseLong(Settings.text(ORDER)));
    private final Turns turns = new Turns(threads, operations);
    private final List<Program> programs = new ArrayList<>();
    private final List<Side> sides = new ArrayList<>();
    private final @Nullable CFunctions c = functions();
    /** The next key of each thread, which is written by the side whose turn it is. */
    private final long[] next = new long[threads];

    private DropinRun() {
    }

    /** A program of its own. It ends without closing anything. */
    public static void main(String[] args) throws Exception {
        new DropinRun().run();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private @Nullable CFunctions functions() {
        String file = Settings.text(CFunctions.SETTING);
        return operation.limit() == null || file.isEmpty()
                ? null
                : new CFunctions(Path.of(file), Database.current().engine(),
                        new CFunctions.Shape(Settings.number(KEYS), Setup.KEY_BYTES, Settings.number(VALUE_BYTES),
                                operations, operation.records(), operation.records(), true));
    }

    private void run() throws Exception {
        // Ours first: C and the published jar can use its database.
        Program ours = LibraryLoader.ours(Path.of(Settings.text(CLASSES))).open(setup(DropinSuite.OURS));
        Program published = LibraryLoader.published().open(setup(Side.PEER));
        programs.addAll(List.of(ours, published));
        if (operation.limit() == null) {
            Collections.shuffle(programs, order);
        }
        open();
        sides.add(side(DropinSuite.OURS, () -> ours.work(operations)));
        sides.add(side(Side.PEER, () -> published.work(operations)));
        String limit = operation.limit();
        CFunctions functions = c;
        if (functions != null && limit != null) {
            sides.add(side(Side.limitName(limit), () -> functions.work(limit)));
        }
        Collections.shuffle(sides, order);
        for (Side side : sides) {
            turn(side, 0, side.isJava() ? WARM_UP : TURN);
        }
        Database.current().requireOnlyEngine();
        for (int round = 0; round < Settings.number(ROUNDS); round++) {
            if (round % ROUNDS_OF_A_DATABASE == 0 && operation.isWriting()) {
                open();
            }
            Collections.shuffle(sides, order);
            Set<Long> checksums = new HashSet<>();
            for (Side side : sides) {
                Turns.Turn turn = turn(side, round, TURN);
                checksums.add(turn.checksum());
                System.out.println(Start.line(turn, side));
            }
            if (checksums.size() != 1 || checksums.contains(0L)) {
                throw new IllegalStateException("The sides have not done the same: their checksums are " + checksums);
            }
        }
    }

    private static Setup setup(String name) {
        return new Setup(Settings.text(OPERATION), Database.current().directory().resolve(name), Settings.number(KEYS),
                Settings.number(VALUE_BYTES));
    }

    private void open() throws Exception {
        long lent = Program.NOT_LENT;
        for (Program program : programs) {
            lent = program.open(lent);
        }
        if (c != null) {
            c.use(lent);
        }
        for (int thread = 0; thread < threads; thread++) {
            next[thread] = thread * KEYS_OF_A_THREAD;
        }
    }

    private Side side(String name, Supplier<Side.Work> work) {
        List<Side.Work> works = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            Side.Work ofThread = work.get();
            works.add(operation.limit() != null && operation.isWriting() ? seed -> {
                long records = ofThread.run(next[number]);
                next[number] += records;
                return records;
            } : seed -> ofThread.run(seed ^ number * DISTANCE));
        }
        return new Side(name, works);
    }

    private Turns.Turn turn(Side side, int round, String time) {
        return turns.take(side, SEED * ((round + 1L) * 1_000_000), SEED,
                Duration.parse(Settings.text(time)).toNanos());
    }
}
