package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest extends SuiteRun {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            puts         | There is no suite 'puts'. The suites are: calls, paired, comparator, merge, dropin, pins, queue, pipeline, lmdb, start, jruby
            --quicker    | Unknown option: '--quicker'
            --json       | Missing required parameter for option '--json' (FILE)
            --plots=/no  | Cannot draw into /no: it is not a directory or not writable
            --json=/no/f | Cannot write the results to /no/f: its directory does not exist or is not writable
            """)
    void wrongArgumentsGetOneLineAndCode2(String argument, String message) {
        assertThat(run(argument)).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("outcrop: " + message + " (see './outcrop bench --help')");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void helpNamesTheSuites() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("calls", "paired", "comparator", "merge", "dropin", "pins", "queue",
                "pipeline", "lmdb", "start", "jruby",
                "--quick", "--json", "--plots", "--seed");
    }
}
