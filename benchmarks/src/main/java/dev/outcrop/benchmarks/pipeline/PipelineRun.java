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
import java.util.List;
import java.util.Random;

/** One process of a case: the two take turns with the same records, each into an empty database. */
final class PipelineRun {
    static final String PAYLOAD_BYTES = "payloadBytes";
    static final String RECORDS = "records";
    static final String ROUNDS = "rounds";
    static final String ORDER = "order";
    private static final int WARM_UPS = 4;

    private PipelineRun() {
    }

    /** A program of its own. It ends without closing anything. */
    public static void main(String[] args) throws Exception {
        int records = Settings.number(RECORDS);
        int payloadBytes = Settings.number(PAYLOAD_BYTES);
        Path directory = Files.createDirectories(Database.current().directory());
        List<Side> sides = new ArrayList<>(List.of(
                new Side(PipelineSuite.OURS,
                        List.of(new OutcropIngest(directory.resolve("outcrop"), records, payloadBytes))),
                new Side(PipelineSuite.PEER,
                        List.of(new PeerIngest(directory.resolve("peer"), records, payloadBytes)))));
        Turns turns = new Turns(1, records);
        Random order = new Random(Long.parseLong(Settings.text(ORDER)));
        for (int round = -WARM_UPS; round < Settings.number(ROUNDS); round++) {
            Collections.shuffle(sides, order);
            for (Side side : sides) {
                Turns.Turn turn = turns.take(side, 0, 0, 1);
                if (turn.checksum() != records) {
                    throw new IllegalStateException(side.name() + " has written " + turn.checksum() + " records of "
                            + records);
                }
                if (round >= 0) {
                    System.out.println(Start.line(turn, side));
                }
            }
        }
        Database.current().requireOnlyEngine();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
