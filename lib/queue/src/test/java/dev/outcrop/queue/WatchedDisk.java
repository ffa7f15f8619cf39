package dev.outcrop.queue;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A directory of child JVMs that {@code src/test/c/disk.c} watches: it records the changes to its files, and lets calls fail. */
final class WatchedDisk {
    /** The watched directory. */
    final Path root;
    /** The trace. */
    final Path trace;
    private final Path marks;
    private final Path failing;

    /** Makes a disk with the root {@code disk} in a directory, which may exist; all else is put beside it. */
    WatchedDisk(Path parent) throws IOException {
        Path real = parent.toRealPath();
        root = Files.createDirectories(real.resolve("disk"));
        trace = real.resolve("trace");
        failing = real.resolve("failing");
        marks = real.resolve("marks");
        if (!Files.exists(marks)) {
            Files.createFile(marks);
        }
    }

    /** Lets a JVM use this disk; the test is skipped if there is no C compiler. */
    ChildJvm usedBy(ChildJvm jvm) throws IOException, InterruptedException {
        return jvm.environment("LD_PRELOAD", library()).environment("OUTCROP_DISK_ROOT", root)
                .environment("OUTCROP_DISK_TRACE", trace).environment("OUTCROP_DISK_MARKS", marks)
                .environment("OUTCROP_DISK_FAIL", failing);
    }

    /** Runs a program, whose arguments are the directory of a queue on this disk, {@link #failing()}, and more. */
    List<String> run(ChildJvm jvm, Class<?> program, Object... more) throws IOException, InterruptedException {
        return usedBy(jvm).lines(program,
                Stream.concat(Stream.of(root.resolve("queue"), failing), Arrays.stream(more)).toArray());
    }

    /** The file to which a program writes marks for the trace, each in one call. */
    Path marks() {
        return marks;
    }

    /** The file that says which syncs fail; see {@link #fail}. */
    Path failing() {
        return failing;
    }

    /**
     * From now on syncs fail with EIO.
     *
     * @param control {@link #failing()}
     * @param call    msync, fsync, fdatasync or any
     * @param suffix  of the paths of the files for which it fails
     * @param how     once or always
     */
    static void fail(Path control, String call, String suffix, String how) throws IOException {
        Path unfinished = Files.writeString(control.resolveSibling("failing.new"), call + " " + suffix + " " + how);
        Files.move(unfinished, control, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The compiled {@code disk.c}. */
    static Path library() throws IOException, InterruptedException {
        return library("disk");
    }

    /** A compiled source of {@code src/test/c}; the test is skipped if there is no C compiler. */
    static synchronized Path library(String name) throws IOException, InterruptedException {
        Path made = Files.createDirectories(Path.of("target")).toAbsolutePath().resolve(name + ".so");
        Path source = Path.of("src", "test", "c", name + ".c");
        if (Files.exists(made) && Files.getLastModifiedTime(made).compareTo(Files.getLastModifiedTime(source)) > 0) {
            return made;
        }
        assumeTrue(hasCompiler(), "there is no C compiler (cc) to make the library with that watches the disk");
        Path unfinished = made.resolveSibling(name + "." + ProcessHandle.current().pid());
        Process compiler = new ProcessBuilder("cc", "-O2", "-Wall", "-Wextra", "-U_FORTIFY_SOURCE", "-shared", "-fPIC",
                "-o", unfinished.toString(), source.toString(), "-ldl", "-lpthread").redirectErrorStream(true).start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = compiler.waitFor();
        assumeFalse(exit != 0 && said.contains("needs the GNU C library"),
                "this system has another C library than GNU's");
        if (exit != 0) {
            throw new AssertionError(source + " does not compile:\n" + said);
        }
        return Files.move(unfinished, made, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder("cc", "--version").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
