package dev.outcrop.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.memory.NativeLibraries;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The conditions of a report, by name: machine, system, JDK, engine, flags and commit. The host name of the machine is not among them.
 *
 * @param facts in the order of the page
 */
record Machine(Map<String, String> facts) {
    /** The facts that two compared reports must share. */
    static final List<String> HARDWARE = List.of("processor", "cores", "memory", "system");

    private static final String UNKNOWN = "unknown";

    Machine {
        facts = new LinkedHashMap<>(facts);
    }

    /** Returns the conditions of this process. */
    static Machine current() {
        OperatingSystemMXBean system = system();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("processor", processor());
        facts.put("cores", String.valueOf(system.getAvailableProcessors()));
        // Rounded, because a kernel reserves more or less.
        facts.put("memory", Math.round(system.getTotalMemorySize() / (double) (1L << 30)) + " GB");
        facts.put("system", system.getName() + ' ' + system.getArch());
        facts.put("kernel", system.getVersion());
        facts.put("JDK", System.getProperty("java.vendor", UNKNOWN) + ' ' + Runtime.version());
        facts.put("engine", engine());
        facts.put("options of the engine", EngineOptions.READING.text());
        String flags = "-Xbatch; beside a database: -Xms512m -Xmx512m -XX:+AlwaysPreTouch";
        String more = System.getenv("JDK_JAVA_OPTIONS");
        facts.put("flags", more == null ? flags : flags + "; JDK_JAVA_OPTIONS: " + more);
        facts.put("commit", commit());
        return new Machine(facts);
    }

    private static OperatingSystemMXBean system() {
        return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    }

    /** Returns the average number of running threads in the last minute. */
    static double load() {
        return system().getSystemLoadAverage();
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name")).findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse(UNKNOWN);
        } catch (IOException e) {
            return output(List.of("sysctl", "-n", "machdep.cpu.brand_string"), Path.of("/"));
        }
    }

    /** Returns the version of the engine. The library does not tell it, but the name of its jar does. */
    private static String engine() {
        try {
            return String.format(Locale.ROOT, "RocksDB of %s, %,d bytes", placeOf(org.rocksdb.RocksDB.class)
                    .getFileName(), Files.size(NativeLibraries.rocksdbPath()));
        } catch (IOException e) {
            return UNKNOWN;
        } catch (LinkageError e) {
            // Each case that needs the engine reports this.
            return "none: " + e.getMessage();
        }
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(type + " is not in a file system", e);
        }
    }

    private static String commit() {
        Path classes = placeOf(Machine.class);
        Path directory = Files.isDirectory(classes) ? classes : Objects.requireNonNull(classes.getParent());
        String commit = output(List.of("git", "rev-parse", "--short=12", "HEAD"), directory);
        boolean isChanged = !commit.equals(UNKNOWN)
                && !output(List.of("git", "status", "--porcelain", "--untracked-files=no"), directory).isEmpty();
        return isChanged ? commit + ", with changes" : commit;
    }

    private static String output(List<String> command, Path directory) {
        try {
            Process process = new ProcessBuilder(command).directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? output : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }

    /** Returns the differences in the named facts, or in all facts if no name is given. */
    List<String> differences(Machine other, List<String> names) {
        List<String> differences = new ArrayList<>();
        facts.forEach((name, value) -> {
            if ((names.isEmpty() || names.contains(name)) && !value.equals(other.facts.get(name))) {
                differences.add(name + " was " + value + " and is " + other.facts.get(name));
            }
        });
        return differences;
    }
}
