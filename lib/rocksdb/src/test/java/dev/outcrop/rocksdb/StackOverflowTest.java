package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Operations at each depth near the end of a thread's stack, in JVMs of their own: a call that did not return may have happened or not,
 * but everything works and closes afterwards, and nothing stays open.
 */
@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class StackOverflowTest {
    private static final Pattern INITIALIZED = Pattern.compile("Initializing '(dev/outcrop/[^']*)'(?!\\(no method\\))");

    @TempDir
    private Path directory;

    /** Interpreted, compiled in both ways, and for the first time in the process. */
    @ParameterizedTest
    @CsvSource({"-XX:TieredStopAtLevel=1, 500, callbacks", "-XX:+TieredCompilation, cold, plain"})
    void everythingWorksAndClosesAfterwards(String option, String warmUp, String kind) throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option(option).option("-Xss512k")
                .option("-XX:MaxJavaStackTraceDepth=16").run(EndOfStackProgram.class, directory, warmUp, kind);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("nothing is left");
    }

    @ParameterizedTest
    @CsvSource({"-Xint, 3, callbacks", "-XX:TieredStopAtLevel=1, 500, plain",
            "-XX:+TieredCompilation, 7000, callbacks"})
    @Tag("nightly")
    void alsoInOtherWays(String option, String warmUp, String kind) throws Exception {
        everythingWorksAndClosesAfterwards(option, warmUp, kind);
    }

    @Test
    void frequentCallsFindTheirClassesInitialized() throws Exception {
        ChildJvm.Result result = ChildJvm.shortLived().option("-Xlog:class+init=info")
                .run(EndOfStackFirst.class, directory);

        assertThat(result.exitCode()).as(result.output()).isZero();
        List<String> late = new ArrayList<>();
        boolean isFrequent = false;
        for (String line : result.output().lines().toList()) {
            Matcher initialized = INITIALIZED.matcher(line);
            if (line.startsWith("=== ")) {
                isFrequent = !line.equals("=== rest") && !line.equals("=== end");
            } else if (isFrequent && initialized.find() && !line.contains("Lambda")) {
                late.add(initialized.group(1));
            }
        }
        assertThat(result.output()).contains("=== opened", "=== end");
        // Calls that make options are rare, and ask for much stack.
        assertThat(late).allMatch(name -> name.endsWith("options_create") || name.endsWith("EndOfStackFirst"));
    }
}
