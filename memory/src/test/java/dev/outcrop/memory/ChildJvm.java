package dev.outcrop.memory;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs a test program in a JVM of its own, for what is decided once in the life of a process. */
final class ChildJvm {
    private static final long MOST_SECONDS = 120;

    private final List<String> options = new ArrayList<>();
    private final List<String> classPath = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private String shellBefore = "";

    ChildJvm() {
        classPath.add(placeOf(NativeLibraries.class));
        classPath.add(placeOf(ChildJvm.class));
    }

    /** What a program wrote to both of its streams, and how it ended. */
    record Result(int exitCode, String output) {
    }

    /** Adds an option of the java command, such as a system property. */
    ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    ChildJvm nativeAccess() {
        return option("--enable-native-access=ALL-UNNAMED").option("--illegal-native-access=deny");
    }

    ChildJvm classPath(Path entry) {
        classPath.add(entry.toString());
        return this;
    }

    ChildJvm environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Runs shell commands first, in a mount namespace that ends with the program. */
    ChildJvm withMounts(String commands) {
        shellBefore = commands;
        return this;
    }

    /** Whether this user may mount file systems in a namespace of its own. */
    static boolean canMount() throws IOException, InterruptedException {
        if (!Files.isExecutable(Path.of("/usr/bin/unshare"))) {
            return false;
        }
        return new ProcessBuilder("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    /** Starts the program; the caller waits for it with {@link Running#await}. */
    Running start(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (!shellBefore.isEmpty()) {
            command.addAll(List.of("unshare", "--mount", "sh", "-e", "-c", shellBefore + "\nexec \"$@\"", "sh"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        command.addAll(options);
        command.add(program.getName());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("outcrop-child", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "XDG_CACHE_HOME"));
        builder.environment().putAll(environment);
        return new Running(builder.start(), output);
    }

    Result run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        return start(program, arguments).await();
    }

    /** A program that has been started. */
    record Running(Process process, Path output) {
        Result await() throws IOException, InterruptedException {
            try {
                if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError("The child JVM hangs. It wrote:\n" + Files.readString(output));
                }
                return new Result(process.exitValue(), Files.readString(output));
            } finally {
                process.destroyForcibly();
                Files.delete(output);
            }
        }
    }

    private static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
