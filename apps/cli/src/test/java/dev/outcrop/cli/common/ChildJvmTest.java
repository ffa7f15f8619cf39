package dev.outcrop.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    /** Prints its arguments. */
    static final class Echo {
        public static void main(String[] args) {
            for (String arg : args) {
                System.out.println(arg);
            }
        }
    }

    /** Exits with the code that it is told. */
    static final class Exit {
        public static void main(String[] args) {
            System.exit(Integer.parseInt(args[0]));
        }
    }

    private static ChildJvm jvm(Class<?> mainClass, String... arguments) {
        return new ChildJvm(List.of("-Xmx64m"), System.getProperty("java.class.path"), mainClass.getName(),
                List.of(arguments));
    }

    @Test
    void theExitCodeIsTheChilds() {
        assertThat(jvm(Exit.class, "0").run()).isZero();
        assertThat(jvm(Exit.class, "3").run()).isEqualTo(3);
    }

    @Test
    void argumentsArriveAsTheyAre() throws IOException {
        Process process = jvm(Echo.class, "two words", "--option", "$HOME *").startPiped();
        try (BufferedReader lines = process.inputReader()) {
            assertThat(lines.lines()).containsExactly("two words", "--option", "$HOME *");
        }
        assertThat(ChildJvm.waitFor(process)).isZero();
    }
}
