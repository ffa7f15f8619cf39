package dev.outcrop.cli.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that {@code ./outcrop} belongs to, with the files that commands need. */
public final class Installation {
    /** System property with the checkout's root directory; the launcher sets it. */
    static final String HOME_PROPERTY = "outcrop.home";

    private Installation() {
    }

    /** Returns the checkout's root directory; fails if this program was not started by the launcher. */
    public static Path home() {
        String home = System.getProperty(HOME_PROPERTY);
        if (home == null) {
            throw new Failure(
                    "the system property " + HOME_PROPERTY + " is not set; start this program with ./outcrop");
        }
        return Path.of(home).toAbsolutePath();
    }

    /**
     * Returns the class path of the module {@code benchmarks}, which holds the peers. Fails if that module is not built. The module is
     * never on the class path of this program: {@code rocksdbjni}'s classes stay in their own JVM.
     */
    public static String benchmarksClassPath() {
        Path file = home().resolve("apps").resolve("benchmarks").resolve("target").resolve("classpath");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw Failure.of("the module benchmarks is not built (run 'mvn package' in " + home() + ")", e);
        }
    }
}
