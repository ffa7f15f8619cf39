package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Suite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process of a case. The published jar, our classes and C take turns: both libraries with the same program, and C with a function that
 * does the same. If there is such a function, all three work on one open database; otherwise each library has its own.
 */
final class DropinRun {
    /** More keys than any thread writes. */
    private static final long KEYS_OF_A_THREAD = 1L << 40;
    private static final long DISTANCE = 0x5851F42D4C957F2DL;

    private final DropinCase.DropinWorkload workload = DropinCase.DropinWorkload.current();
    private final DropinOperation operation = workload.dropin().operation();
    private final int threads = workload.dropin().threads();
    private final int operations = operation.operations(workload.dropin().valueBytes(), workload.keys(), threads);
    private final List<DropinProgram> programs = new ArrayList<>();
    private final @Nullable CFunctions c = functions();
    /** The next key of each thread. The side that has the turn writes it. */
    private final long[] next = new long[threads];

    private DropinRun() {
    }

    public static void main(String[] args) throws Exception {
        new DropinRun().run();
    }

    private @Nullable CFunctions functions() {
        Path file = workload.functions();
        return operation.limit() == null || file == null
                ? null
                : new CFunctions(file, Database.current().engine(),
                        new CFunctions.Shape(workload.keys(), DropinCase.KEY_BYTES, workload.dropin().valueBytes(),
                                operations, operation.records(), operation.records(), CFunctions.Choice.RANDOM));
    }

    private void run() throws Exception {
        // Ours first: C and the published jar can use its database.
        DropinProgram ours = program(LibraryLoader.ours(workload.classes()), DropinCase.OURS);
        DropinProgram published = program(LibraryLoader.published(), Suite.ROCKSDBJNI);
        programs.addAll(List.of(ours, published));
        if (operation.limit() == null) {
            Collections.shuffle(programs, new Random(JavaProgram.seed()));
        }
        open();
        List<Side> sides = new ArrayList<>();
        sides.add(side(DropinCase.OURS, () -> ours.work(operations)));
        sides.add(side(Suite.ROCKSDBJNI, () -> published.work(operations)));
        String limit = operation.limit();
        CFunctions functions = c;
        if (functions != null && limit != null) {
            sides.add(side(Side.limitName(limit), () -> functions.work(limit)));
        }
        new InProcessComparison(workload.plan(), threads, operations).run(sides, () -> {
            if (operation.isWriting()) {
                open();
            }
        });
    }

    private DropinProgram program(LibraryLoader library, String name) throws ReflectiveOperationException {
        return library.create(operation.program(), Database.current().directory().resolve(name));
    }

    private void open() throws Exception {
        long lent = DropinProgram.NOT_LENT;
        for (DropinProgram program : programs) {
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
            works.add(operation.limit() != null && operation.isWriting() ? _ -> {
                long records = ofThread.run(next[number]);
                next[number] += records;
                return records;
            } : seed -> ofThread.run(seed ^ number * DISTANCE));
        }
        return new Side(name, works);
    }
}
