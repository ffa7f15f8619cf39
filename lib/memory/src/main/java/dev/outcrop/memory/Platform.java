package dev.outcrop.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The operating system, the processor and, on Linux, the C library. Together they decide which native library fits.
 *
 * @param os   {@code linux}, {@code macos}, {@code windows}, or another system's name in lower case
 * @param arch {@code x86_64}, {@code aarch64}, or another processor's name as the JDK calls it
 * @param libc the C library on Linux, glibc or musl; empty elsewhere
 */
record Platform(String os, String arch, String libc) {
    private static final Set<String> LINUX_ARCHS = Set.of("x86_64", "aarch64", "riscv64", "ppc64le", "s390x");
    private static final Set<String> MACOS_ARCHS = Set.of("x86_64", "aarch64");

    /** Returns the platform of this process. */
    static Platform current() {
        String os = os(System.getProperty("os.name"));
        return new Platform(os, arch(System.getProperty("os.arch")), os.equals("linux") ? libcOfThisProcess() : "");
    }

    /** Returns the classifier of the jars for this platform, such as {@code linux-x86_64-musl}. */
    String classifier() {
        return os + "-" + arch + (libc.equals("musl") ? "-musl" : "");
    }

    /** Returns whether jars with native libraries are published for this platform. */
    boolean isSupported() {
        return switch (os) {
            case "linux" -> LINUX_ARCHS.contains(arch);
            case "macos" -> MACOS_ARCHS.contains(arch);
            default -> false;
        };
    }

    /** Returns the file name of a library here: {@code librocksdb.so}, {@code librocksdb.dylib} or {@code rocksdb.dll}. */
    String libraryFile(String name) {
        return switch (os) {
            case "macos" -> "lib" + name + ".dylib";
            case "windows" -> name + ".dll";
            default -> "lib" + name + ".so";
        };
    }

    static String os(String osName) {
        String name = osName.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac") || name.startsWith("darwin")) {
            return "macos";
        }
        return name.startsWith("windows") ? "windows" : name.replace(' ', '-');
    }

    static String arch(String osArch) {
        return switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64", "x86-64", "x64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> osArch.toLowerCase(Locale.ROOT);
        };
    }

    /**
     * Returns the C library that a process has mapped, from the lines of its {@code /proc/<pid>/maps}. Installed libraries do not count: a
     * glibc system may have musl too, and a musl system may have glibc.
     */
    static String libc(Stream<String> maps) {
        return maps.anyMatch(line -> isMusl(line.substring(line.lastIndexOf('/') + 1))) ? "musl" : "glibc";
    }

    private static boolean isMusl(String file) {
        // musl's C library and its dynamic linker are one file, which has three names; glibc's is never plain libc.so.
        return file.startsWith("ld-musl-") || file.startsWith("libc.musl-") || file.equals("libc.so");
    }

    private static String libcOfThisProcess() {
        try {
            // Files.lines does not read in an interrupted thread.
            return libc(Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).stream());
        } catch (IOException e) {
            // Without /proc, finding out would need another process; most systems have glibc.
            return "glibc";
        }
    }
}
