package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@code docs/tour.md} print what it shows, in their order, in a fresh directory. In its console blocks, {@code $ } begins a
 * command and {@code > } goes on with it, {@code second$ } begins one in a second terminal, {@code ^C} ends that one, and all other lines
 * are what is shown.
 */
@Tag("verify")
class TourTest {
    private static final Path TOUR = Path.of("../../docs/tour.md");
    private static final Pattern BLOCK = Pattern.compile("^```console\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    /** The tour's name for its working directory. */
    private static final String HOME = "/home/ada/tour";
    /** All that may differ from what the tour shows. */
    private static final Map<Pattern, String> VARYING = new LinkedHashMap<>();

    static {
        VARYING.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z"), "TIME");
        VARYING.put(Pattern.compile("\\bprocess \\d+"), "process NUMBER");
        VARYING.put(Pattern.compile("stored\\(context removed\\) = \\d+, computed = \\d+"), "CHECKSUMS");
        VARYING.put(Pattern.compile("[\\d,.]+ records/s read, [\\d,.]+ stored"), "RATES");
        VARYING.put(Pattern.compile("\\bgroup pipe-\\p{XDigit}{1,16}\\b"), "group NUMBER");
    }

    @TempDir
    private Path temporary;
    private @Nullable Process second;

    /** A command, and what the tour shows below it. */
    private record Step(String command, String shown) {
    }

    private static List<Step> steps() throws IOException {
        List<Step> steps = new ArrayList<>();
        for (String block : BLOCK.matcher(Files.readString(TOUR)).results().map(found -> found.group(1)).toList()) {
            String command = "";
            StringBuilder shown = new StringBuilder();
            for (String line : block.lines().toList()) {
                if (line.startsWith("$ ") || line.startsWith("second$ ") || line.equals("^C")) {
                    add(steps, command, shown);
                    command = line;
                } else if (line.startsWith("> ") && shown.isEmpty()) {
                    command += "\n" + line.substring(2);
                } else {
                    shown.append(line).append('\n');
                }
            }
            add(steps, command, shown);
        }
        return steps;
    }

    private static void add(List<Step> steps, String command, StringBuilder shown) {
        if (!command.isEmpty()) {
            steps.add(new Step(command, shown.toString()));
        }
        shown.setLength(0);
    }

    @AfterEach
    void endSecondTerminal() {
        if (second != null) {
            second.destroyForcibly();
        }
    }

    @Test
    void eachCommandShowsWhatTheTourSays() throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("tour")).toRealPath();
        List<Step> steps = steps();
        assertThat(steps).hasSizeGreaterThan(20);
        // Each command is a process: otherwise only the first ones, on which the others build.
        int count = TestSize.choose("outcrop.tour.steps", 8, steps.size());
        for (Step step : steps.subList(0, Math.min(count, steps.size()))) {
            String shown = step.command.startsWith("second$ ")
                    ? startInSecondTerminal(directory, step.command.substring("second$ ".length()))
                    : step.command.equals("^C")
                            ? interruptSecondTerminal()
                            : output(start(directory, step.command.substring("$ ".length())));
            assertThat(plain(shown.replace(directory.toString(), HOME))).as(step.command).isEqualTo(plain(step.shown));
        }
        assertThat(second).as("what was started in a second terminal ends with ^C").isNull();
    }

    private static String plain(String text) {
        String plain = text;
        for (Map.Entry<Pattern, String> one : VARYING.entrySet()) {
            plain = one.getKey().matcher(plain).replaceAll(one.getValue());
        }
        return plain;
    }

    /** Waits until it has the database open that it names. */
    private String startInSecondTerminal(Path directory, String command) throws Exception {
        assertThat(second).isNull();
        // A shell would keep the signal from what it starts.
        second = start(directory, "exec env --default-signal=INT " + command);
        String[] words = command.split(" ", -1);
        while (second.isAlive() && RocksDB.lockHolder(directory.resolve(words[3])).isEmpty()) {
            Thread.sleep(20);
        }
        assertThat(second.isAlive()).as(command).isTrue();
        return "";
    }

    private String interruptSecondTerminal() throws Exception {
        Process process = Objects.requireNonNull(second);
        Program.interrupt(process);
        second = null;
        return output(process);
    }

    private static String output(Process process) throws Exception {
        String output = process.inputReader().lines().map(line -> line + "\n").collect(Collectors.joining());
        assertThat(ChildJvm.awaitEnd(process)).isTrue();
        return output;
    }

    /** As somebody who types it. */
    private Process start(Path directory, String command) throws IOException {
        Path programs = Files.createDirectories(temporary.resolve("bin"));
        Path outcrop = programs.resolve("outcrop");
        Files.writeString(outcrop, "#!/bin/sh\nexec \"" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "\" '" + String.join("' '", CliJvm.options()) + "' " + Main.class.getName() + " \"$@\"\n");
        assertThat(outcrop.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().merge("PATH", programs.toString(), (path, added) -> added + File.pathSeparator + path);
        return builder.start();
    }
}
