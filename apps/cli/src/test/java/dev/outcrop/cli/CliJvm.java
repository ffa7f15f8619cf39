package dev.outcrop.cli;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.StartArchive;
import java.io.IOException;
import java.util.List;

/** JVMs that start as fast as those of the launcher do, and on the same JVM options. */
public final class CliJvm {
    private static final StartArchive ARCHIVE;

    static {
        try {
            ARCHIVE = StartArchive.untilTheEnd(TrainingRun.class);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private CliJvm() {
    }

    /**
     * To start a command in.
     *
     * @return with native access and all classes of these tests
     */
    public static ChildJvm jvm() {
        return ARCHIVE.jvm();
    }

    /**
     * For a script that starts commands.
     *
     * @return options of java, the class path among them
     */
    public static List<String> options() {
        return ARCHIVE.options();
    }
}
