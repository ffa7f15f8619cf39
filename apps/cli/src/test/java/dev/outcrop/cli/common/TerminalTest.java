package dev.outcrop.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TerminalTest {
    private static final String PROPERTY = "outcrop.terminals";

    @AfterEach
    void asBefore() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void onlyATerminalGetsColours() {
        assumeTrue(System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv("TERM")),
                "an environment that lets colours be");
        System.setProperty(PROPERTY, "err");
        assertThat(Terminal.styled("bold,red", "kill -9")).isEqualTo("kill -9");
        System.setProperty(PROPERTY, "out,err");
        assertThat(Terminal.styled("bold,red", "kill -9")).startsWith("\u001b[").contains("kill -9").endsWith("m");
    }
}
