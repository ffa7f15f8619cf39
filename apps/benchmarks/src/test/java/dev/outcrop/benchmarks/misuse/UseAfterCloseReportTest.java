package dev.outcrop.benchmarks.misuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UseAfterCloseReportTest {
    /** Of so many attempts at one mistake, on each side. */
    private static String report(int attempts) {
        Map<Mistake, List<Outcome>> outcomes = new EnumMap<>(
                Map.of(Mistake.GET_FROM_CLOSED_DATABASE, Collections.nCopies(attempts, Outcome.hung())));
        return new UseAfterCloseReport(outcomes, outcomes).text();
    }

    @Test
    void theCommandIsTheOneThatMakesSoManyAttempts() {
        assertThat(report(4)).contains("`./outcrop misuse --report docs/use-after-close.md`;", "was made 4 times");
        assertThat(report(2)).contains("`./outcrop misuse --report docs/use-after-close.md --runs 1`;",
                "was made 2 times");
    }

    @Test
    void theDocumentIsAReportOfThatCommand() throws IOException {
        String document = Files.readString(Path.of("..", "..", "docs", "use-after-close.md"));
        Matcher times = Pattern.compile("Each was made (\\d+) times").matcher(document);
        assertThat(times.find()).isTrue();
        String report = report(Integer.parseInt(times.group(1)));
        assertThat(document).startsWith(report.substring(0, report.indexOf("Both sides run on ")));
    }

    @Test
    void wrongUsageGetsOneLineAndCode2() {
        for (String argument : new String[]{"--nonsense", "--runs=0"}) {
            StringWriter err = new StringWriter();
            assertThat(UseAfterClose.commandLine().setErr(new PrintWriter(err)).execute(argument)).isEqualTo(2);
            assertThat(err.toString()).startsWith("outcrop: ").endsWith("(see './outcrop misuse --help')\n")
                    .hasLineCount(1);
        }
    }
}
