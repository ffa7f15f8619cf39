package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import dev.outcrop.benchmarks.turns.Turns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One process of a case: the published jar and ours take turns with the same program. */
final class DropinRun {
    static final String CLASSES = "classes";
    static final String ORDER = "order";
    static final String OPERATION = "operation";
    static final String KEYS = "keys";
    static final String VALUE_BYTES = "valueBytes";
    static final String OPERATIONS = "operations";
    static final String ROUNDS = "rounds";
    static final String TURN = "turn";
    static final String WARM_UP = "warmUp";
    /** What is written in so many rounds stays far below the size of a memtable. */
    private static final int ROUNDS_OF_A_DATABASE = 8;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final Turns turns = new Turns(1, Settings.number(OPERATIONS));
    private final Map<Side, Program> programs = new LinkedHashMap<>();

    private DropinRun() {
    }

    /** A program of its own. It ends without closing anything. */
    public static void main(String[] args) throws Exception {
        new DropinRun().run();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private void run() throws Exception {
        add(Side.PEER, LibraryLoader.published());
        add(DropinSuite.OURS, LibraryLoader.ours(Path.of(Settings.text(CLASSES))));
        for (Map.Entry<Side, Program> each : programs.entrySet()) {
            each.getValue().renew();
            turns.take(each.getKey(), SEED, SEED, Duration.parse(Settings.text(WARM_UP)).toNanos());
        }
        Database.current().requireOnlyEngine();
        List<Side> shuffled = new ArrayList<>(programs.keySet());
        Random order = new Random(Long.parseLong(Settings.text(ORDER)));
        for (int round = 0; round < Settings.number(ROUNDS); round++) {
            if (round % ROUNDS_OF_A_DATABASE == 0) {
                for (Program program : programs.values()) {
                    program.renew();
                }
            }
            Collections.shuffle(shuffled, order);
            Set<Long> checksums = new HashSet<>();
            for (Side side : shuffled) {
                Turns.Turn turn = turns.take(side, SEED * ((round + 1L) * 1_000_000), SEED,
                        Duration.parse(Settings.text(TURN)).toNanos());
                checksums.add(turn.checksum());
                System.out.println(Start.line(turn, side));
            }
            if (checksums.size() != 1 || checksums.contains(0L)) {
                throw new IllegalStateException("The sides have not done the same: their checksums are " + checksums);
            }
        }
    }

    private void add(String name, LibraryLoader loader) throws ReflectiveOperationException {
        Program program = loader.open(new Setup(Settings.text(OPERATION),
                Database.current().directory().resolve(loader.getName()), Settings.number(KEYS),
                Settings.number(VALUE_BYTES), Settings.number(OPERATIONS)));
        programs.put(new Side(name, List.of(program)), program);
    }
}
