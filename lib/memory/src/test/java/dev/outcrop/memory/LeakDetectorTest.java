package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.programs.OpenResources;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.FlightRecordings;
import dev.outcrop.testsupport.GarbageStarts;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mode is decided once in the life of a JVM, so each test has its own. */
@Tag("verify")
class LeakDetectorTest {
    @Test
    void lostObjectsAreReportedOnceWithTheStackThatOpenedThem() throws Exception {
        String output = run("lose-some", "-Doutcrop.leaks=always");
        assertThat(output).contains("leaked 3", "watched true").doesNotContain("closed 4", "closed 5");
        for (int i = 1; i <= 3; i++) {
            assertThat(output).containsOnlyOnce("Leak: lost " + i + " (dev.outcrop.programs.OpenResources$Resource)");
        }
        // The stack starts where the package of the detector ends.
        assertThat(output)
                .contains("OpenedHere\n\tat dev.outcrop.programs.OpenResources$Resource.<init>(OpenResources.java:")
                .contains("at dev.outcrop.programs.OpenResources.lose(OpenResources.java:");
    }

    @Test
    void objectsThatAreClosedAreNeverReportedHoweverBusyTheCollectorIs() throws Exception {
        assertThat(run("close-all", "-Doutcrop.leaks=always", "-Xmx16m")).contains("leaked 1")
                .doesNotContain("Leak: closed");
    }

    @Test
    @Tag("nightly")
    void objectsThatAreClosedAreNeverReportedHoweverBusyAConcurrentCollectorIs() throws Exception {
        assertThat(run("close-all", "-Doutcrop.leaks=always", "-Xmx64m", "-XX:-UseSerialGC", "-XX:+UseZGC"))
                .contains("leaked 1")
                .doesNotContain("Leak: closed");
    }

    @Test
    void offIsTheDefaultAndWatchesNothing() throws Exception {
        for (String mode : List.of("-Doutcrop.leaks=off", "-Dno.property=set")) {
            assertThat(run("lose-some count", mode)).contains("leaked 0", "watched false", "tracked 0")
                    .doesNotContain("Leak:");
        }
    }

    @Test
    void whenOffTrackedObjectsAreStillReplacedByTheirFields() throws Exception {
        // -Xbatch: on a busy machine the compiler might be ready only when all is over.
        GarbageStarts.require(output -> output.contains("allocated 0\n"),
                _ -> run("measure", "-Xbatch", "-XX:TieredStopAtLevel=4", "-Doutcrop.leaks=off"));
        assertThat(run("measure", "-Doutcrop.leaks=always", "-Xmx64m")).doesNotContain("allocated 0\n");
    }

    @Test
    void samplingTracksOneInTheInterval() throws Exception {
        // 100,000 at 1 in 128: 781 expected, with a standard deviation of 28; at 1 in 4: 25,000 and 137.
        assertThat(tracked("-Doutcrop.leaks=sampled")).isBetween(781 - 280, 781 + 280);
        assertThat(tracked("-Doutcrop.leaks=sampled", "-Doutcrop.leaks.interval=4")).isBetween(25_000 - 1370,
                25_000 + 1370);
    }

    @Test
    void sampledLeakIsReported() throws Exception {
        assertThat(run("lose-some count", "-Doutcrop.leaks=sampled", "-Doutcrop.leaks.interval=1"))
                .contains("leaked 3", "tracked 100000");
    }

    @Test
    void unknownValuesAreWarnedAboutAndReplacedByTheDefault() throws Exception {
        assertThat(run("lose-some", "-Doutcrop.leaks=paranoid"))
                .contains(
                        "WARNING: The system property outcrop.leaks is 'paranoid'",
                        "off, sampled or always; off is used.")
                .contains("leaked 0", "watched false");
        for (String interval : TestSize.isNightly() ? List.of("0", "-1", "often") : List.of("often")) {
            assertThat(run("count", "-Doutcrop.leaks=sampled", "-Doutcrop.leaks.interval=" + interval))
                    .contains("WARNING: The system property outcrop.leaks.interval is '" + interval + "'",
                            "128 is used.")
                    .doesNotContain("tracked 0");
        }
    }

    @Test
    void leaksAreInTheFlightRecording(@TempDir Path directory) throws Exception {
        Path recording = directory.resolve("leaks.jfr");
        run("lose-some", "-Doutcrop.leaks=always", "-XX:StartFlightRecording:filename=" + recording);
        List<RecordedEvent> leaks = FlightRecordings.named(FlightRecordings.read(recording), "dev.outcrop.Leak");
        assertThat(leaks).hasSize(3);
        assertThat(leaks).allSatisfy(event -> {
            assertThat(event.getEventType().getCategoryNames()).containsExactly("Outcrop");
            assertThat(event.getString("description"))
                    .matches("lost [123] \\(dev\\.outcrop\\.programs\\.OpenResources\\$Resource\\)");
            assertThat(event.getString("creationStack"))
                    .startsWith("dev.outcrop.programs.OpenResources$Resource.<init>(")
                    .contains("\ndev.outcrop.programs.OpenResources.lose(OpenResources.java:");
        });
    }

    private static int tracked(String... options) throws Exception {
        String output = run("count", options);
        return Integer.parseInt(output.substring(output.indexOf("tracked ") + 8).strip());
    }

    private static String run(String what, String... options) throws Exception {
        ChildJvm child = ChildJvm.shortLived();
        for (String option : options) {
            child.option(option);
        }
        ChildJvm.Result result = child.run(OpenResources.class, (Object[]) what.split(" ", -1));
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output();
    }
}
