package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Terminal;
import dev.outcrop.cli.demo.WorkerRun.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * The way of all class files through a queue and a pipeline into a database, with two kills, and the proof that none was lost, doubled or
 * changed.
 */
final class ExactlyOnce {
    static final String QUEUE = "queue";
    static final String DATABASE = "database";

    private final Audience audience;
    private final Class<?> append;
    private final Class<?> pipeline;

    /**
     * Names the programs.
     *
     * @param append   see {@link AppendProgram}
     * @param pipeline see {@link PipelineProgram}
     */
    ExactlyOnce(Audience audience, Class<?> append, Class<?> pipeline) {
        this.audience = audience;
        this.append = append;
        this.pipeline = pipeline;
    }

    /**
     * Goes that way.
     *
     * @param directory of the run
     * @param random    decides where it kills
     * @throws Comparison.Difference if anything arrived otherwise than it set out
     */
    void run(JdkClasses classes, Path directory, Random random) {
        String queue = directory.resolve(QUEUE).toString();
        String database = directory.resolve(DATABASE).toString();
        String count = Integer.toString(classes.size());
        audience.part(1, "A program appends each class file to a queue. It is killed half-way, and started again.");
        WorkerRun.runAndKill(audience.out(), classes, new Step(append, List.of(queue, count), "appended", "the queue"),
                halfWay(classes, random));
        audience.check();
        audience.part(2, "A pipeline writes the records to RocksDB. It is killed half-way, and started again.");
        WorkerRun.runAndKill(audience.out(), classes,
                new Step(pipeline, List.of(queue, database), "wrote", "the database"),
                halfWay(classes, random));
        audience.check();
        audience.part(3, "The proof: everything is read once more, and compared with the JDK.");
        new Proof(audience, classes).of(Path.of(queue), Path.of(database));
        audience.out().println(Terminal.styled("bold,green", "  Every class file arrived exactly once and intact."));
    }

    /** Between two and three fifths of the way. */
    private static int halfWay(JdkClasses classes, Random random) {
        return Math.toIntExact(Math.round(classes.size() * (0.4 + 0.2 * random.nextDouble())));
    }
}
