package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import dev.outcrop.benchmarks.turns.Turns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** One process of a case: the sides take turns with the same records, each into an empty database. */
final class PipelineRun {
    static final String PAYLOAD_BYTES = "payloadBytes";
    static final String RECORDS = "records";
    static final String ROUNDS = "rounds";
    static final String ORDER = "order";
    /** The C program; empty if there is no compiler. */
    static final String FUNCTIONS = "functions";
    /** A pipeline calls what writes a batch 768 times a round, and the JIT compiler needs some 6,000 calls until it gets through. */
    private static final int WARM_UPS = 10;

    private PipelineRun() {
    }

    /** A program of its own. It ends without closing anything. */
    public static void main(String[] args) throws Exception {
        int records = Settings.number(RECORDS);
        int payloadBytes = Settings.number(PAYLOAD_BYTES);
        Path directory = Files.createDirectories(Database.current().directory());
        Map<String, Ingest> sides = new LinkedHashMap<>();
        sides.put(PipelineSuite.OURS, new OutcropIngest(directory.resolve("outcrop"), records, payloadBytes));
        sides.put(PipelineSuite.PEER, new PeerIngest(directory.resolve("peer"), records, payloadBytes));
        String functions = Settings.text(FUNCTIONS);
        if (!functions.isEmpty()) {
            sides.put(PipelineSuite.LIMIT,
                    new CIngest(Path.of(functions), directory.resolve("c"), records, payloadBytes));
        }
        Turns turns = new Turns(1, records);
        Random order = new Random(Long.parseLong(Settings.text(ORDER)));
        List<String> names = new ArrayList<>(sides.keySet());
        for (int round = -WARM_UPS; round < Settings.number(ROUNDS); round++) {
            Collections.shuffle(names, order);
            for (String name : names) {
                String line = turn(turns, name, Objects.requireNonNull(sides.get(name)), records);
                if (round >= 0) {
                    System.out.println(line);
                }
            }
        }
        Database.current().requireOnlyEngine();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static String turn(Turns turns, String name, Ingest ingest, int records) throws Exception {
        Side side = new Side(name, List.of(seed -> ingest.run()));
        ingest.open();
        Turns.Turn turn = turns.take(side, 0, 0, 1);
        ingest.close();
        if (turn.checksum() != records) {
            throw new IllegalStateException(name + " has written " + turn.checksum() + " records of " + records);
        }
        return Start.line(turn, side);
    }
}
