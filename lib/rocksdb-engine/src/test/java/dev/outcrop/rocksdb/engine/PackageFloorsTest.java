package dev.outcrop.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A package refers only to lower ones, so none is in a cycle. */
class PackageFloorsTest {
    private static final String ROOT = "dev.outcrop.rocksdb.engine";
    /** From the ground upwards. */
    private static final List<String> FLOORS = List.of(ROOT + ".capi", ROOT + ".callbacks", ROOT, ROOT + ".batch");
    private static final Pattern ARROW = Pattern
            .compile("\\s+(" + ROOT + "[\\w.]*)\\s+->\\s+(" + ROOT + "[\\w.]*)\\s.*");

    @Test
    void packagesKnowOnlyThoseBelowThem() throws Exception {
        List<Arrow> arrows = arrows(
                Path.of(NativeCall.class.getProtectionDomain().getCodeSource().getLocation().toURI()));

        // jdeps has understood its arguments, and this test what it prints.
        assertThat(arrows).contains(new Arrow(ROOT, ROOT + ".capi"));
        assertThat(arrows).allSatisfy(arrow -> assertThat(FLOORS).contains(arrow.from(), arrow.to()));
        assertThat(arrows).filteredOn(Arrow::isUpward).isEmpty();
    }

    @Test
    void anArrowUpwardIsFound(@TempDir Path directory) throws Exception {
        Path low = Files.writeString(directory.resolve("Low.java"),
                "package %1$s.capi; public class Low { %1$s.High high; }".formatted(ROOT));
        Path high = Files.writeString(directory.resolve("High.java"),
                "package %1$s; public class High { %1$s.capi.Low low; }".formatted(ROOT));
        Path classes = directory.resolve("classes");
        run("javac", "-d", classes.toString(), low.toString(), high.toString());

        assertThat(arrows(classes)).filteredOn(Arrow::isUpward).containsExactly(new Arrow(ROOT + ".capi", ROOT));
    }

    private record Arrow(String from, String to) {
        boolean isUpward() {
            return FLOORS.indexOf(from) < FLOORS.indexOf(to);
        }
    }

    private static List<Arrow> arrows(Path classes) {
        return run("jdeps", "-verbose:package", "-filter:none", "--ignore-missing-deps", "--multi-release", "base",
                classes.toString()).lines().map(ARROW::matcher).filter(Matcher::matches)
                .map(arrow -> new Arrow(arrow.group(1), arrow.group(2)))
                .filter(arrow -> !arrow.from().equals(arrow.to())).toList();
    }

    private static String run(String tool, String... arguments) {
        StringWriter printed = new StringWriter();
        PrintWriter out = new PrintWriter(printed);
        assertThat(ToolProvider.findFirst(tool).orElseThrow().run(out, out, arguments)).as(printed::toString).isZero();
        return printed.toString();
    }
}
