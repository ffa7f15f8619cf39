package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

class PackageFloorsTest {
    private static final Pattern ARROW = Pattern
            .compile("(?m)^\\s+dev\\.outcrop\\.cli(\\S*)\\s+-> dev\\.outcrop\\.cli(\\S*)");
    /** From the top down; packages of one floor do not refer to each other. */
    private static final List<List<String>> FLOORS = List.of(List.of(""), List.of(".pipe", ".demo"),
            List.of(".db", ".queue"), List.of(".common"));

    @Test
    void packagesReferOnlyDownwards() throws Exception {
        Path classes = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        StringWriter output = new StringWriter();
        assertThat(ToolProvider.findFirst("jdeps").orElseThrow().run(new PrintWriter(output), new PrintWriter(output),
                "--multi-release", "base", "--ignore-missing-deps", "-verbose:package", "-filter:none",
                classes.toString())).as(output.toString()).isZero();

        List<String> upwards = new ArrayList<>();
        Matcher arrows = ARROW.matcher(output.toString());
        int found = 0;
        while (arrows.find()) {
            if (!arrows.group(1).equals(arrows.group(2))) {
                found++;
                if (floor(arrows.group(1)) >= floor(arrows.group(2))) {
                    upwards.add(arrows.group());
                }
            }
        }

        assertThat(found).isGreaterThan(FLOORS.size());
        assertThat(upwards).isEmpty();
    }

    private static int floor(String name) {
        for (int i = 0; i < FLOORS.size(); i++) {
            if (FLOORS.get(i).contains(name)) {
                return i;
            }
        }
        throw new AssertionError("the package '" + name + "' has no floor");
    }
}
