package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verify")
class JavaProgramTest {
    /** Measures without end. */
    static final class Endless {
        private Endless() {
        }

        public static void main(String[] args) throws InterruptedException {
            TimeUnit.DAYS.sleep(1);
        }
    }

    /** Runs it. */
    static final class Harness {
        private Harness() {
        }

        static void main() {
            new JavaProgram(Endless.class, List.of()).run();
        }
    }

    @Test
    void endsWithTheProcessThatHasStartedIt() throws IOException, InterruptedException {
        ChildJvm.Running harness = ChildJvm.shortLived().launch(Harness.class);
        Optional<ProcessHandle> program = Optional.empty();
        while (program.isEmpty() && harness.process().isAlive()) {
            program = harness.process().children().findFirst();
            TimeUnit.MILLISECONDS.sleep(5);
        }

        harness.process().toHandle().destroyForcibly();

        ChildJvm.Result result = harness.await();
        assertThat(program).as(result.output()).isPresent();
        assertThat(program.orElseThrow().onExit()).succeedsWithin(ChildJvm.MOST_SECONDS, TimeUnit.SECONDS);
    }
}
