package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnavailableTest {
    @TempDir
    Path directory;

    /** A program that does not find its peer. */
    static final class WithoutPeer {
        private WithoutPeer() {
        }

        public static void main(String[] args) {
            if (args.length == 0) {
                throw new UnavailableException("The peer has no library for this processor");
            }
        }
    }

    private record NamedCase(String label, List<Row> rows) implements Case {
        @Override
        public List<Row> run(RunContext context) {
            if (rows.isEmpty()) {
                throw new UnavailableException("no peer");
            }
            return rows;
        }
    }

    @Tag("verify")
    @Test
    void theMessageOfAChildArrives() {
        JavaProgram program = new JavaProgram(WithoutPeer.class, List.of());

        assertThatThrownBy(() -> program.start(1)).isInstanceOf(UnavailableException.class)
                .hasMessage("The peer has no library for this processor");
    }

    @Test
    void theOtherCasesGoOn() {
        Row row = new Row("suite", "second", new LinkedHashMap<>(), "second", "ours", new Measurement(1, 0, 0), "peer",
                new Measurement(2, 0, 0), null);
        Suite suite = new Suite("suite", "peer",
                _ -> List.of(new NamedCase("first", List.of()), new NamedCase("second", List.of(row))));
        StringWriter out = new StringWriter();

        assertThat(suite.run(new RunContext(RunLength.quick(), directory, List.of(), 1, new PrintWriter(out))))
                .containsExactly(row);

        assertThat(out.toString()).contains("first: not measured: no peer");
    }
}
