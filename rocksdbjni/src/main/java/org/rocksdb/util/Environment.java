package org.rocksdb.util;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** What system this is, and what libraries are called there. */
public class Environment {

    private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    private static final String ARCH = System.getProperty("os.arch").toLowerCase(Locale.ROOT);

    /** Does nothing: what this class has is static. */
    public Environment() {
    }

    /**
     * Whether it is 64-bit ARM.
     *
     * @return true if so
     */
    public static boolean isAarch64() {
        return ARCH.contains("aarch64");
    }

    /**
     * Whether it is PowerPC.
     *
     * @return true if so
     */
    public static boolean isPowerPC() {
        return ARCH.contains("ppc");
    }

    /**
     * Whether it is IBM Z.
     *
     * @return true if so
     */
    public static boolean isS390x() {
        return ARCH.contains("s390x");
    }

    /**
     * Whether it is 64-bit RISC-V.
     *
     * @return true if so
     */
    public static boolean isRiscv64() {
        return ARCH.contains("riscv64");
    }

    /**
     * Whether it has 64 bits.
     *
     * @return true if so
     */
    public static boolean is64Bit() {
        return ARCH.contains("64") || isS390x() || ARCH.contains("sparcv9");
    }

    /**
     * Whether it is Windows.
     *
     * @return true if so
     */
    public static boolean isWindows() {
        return OS.contains("win") && !isMac();
    }

    /**
     * Whether it is FreeBSD.
     *
     * @return true if so
     */
    public static boolean isFreeBSD() {
        return OS.contains("freebsd");
    }

    /**
     * Whether it is macOS.
     *
     * @return true if so
     */
    public static boolean isMac() {
        return OS.contains("mac");
    }

    /**
     * Whether it is AIX.
     *
     * @return true if so
     */
    public static boolean isAix() {
        return OS.contains("aix");
    }

    /**
     * Whether it is Linux or another Unix.
     *
     * @return true if so
     */
    public static boolean isUnix() {
        return OS.contains("nix") || OS.contains("nux");
    }

    /**
     * Whether it is Solaris.
     *
     * @return true if so
     */
    public static boolean isSolaris() {
        return OS.contains("sunos");
    }

    /**
     * Whether it is OpenBSD.
     *
     * @return true if so
     */
    public static boolean isOpenBSD() {
        return OS.contains("openbsd");
    }

    /**
     * Whether the C library is musl. The variable {@code ROCKSDB_MUSL_LIBC} overrules what is found out.
     *
     * @return true if so
     */
    public static boolean isMuslLibc() {
        String told = System.getenv("ROCKSDB_MUSL_LIBC");
        if ("true".equalsIgnoreCase(told) || "false".equalsIgnoreCase(told)) {
            return Boolean.parseBoolean(told);
        }
        try (Stream<Path> files = Files.list(Path.of("/lib"))) {
            return isUnix() && files.anyMatch(file -> file.getFileName().toString().startsWith("libc.musl"));
        } catch (java.io.IOException e) {
            return false;
        }
    }

    /**
     * The C library, if its name is part of the names of libraries.
     *
     * @return {@code musl}, or null
     */
    public static String getLibcName() {
        return isMuslLibc() ? "musl" : null;
    }

    /**
     * The name of the library for this and other systems.
     *
     * @param name the name that libraries are made for
     * @return a name
     */
    public static String getSharedLibraryName(String name) {
        return name + "jni";
    }

    /**
     * The file of the library for this and other systems.
     *
     * @param name the name that libraries are made for
     * @return a name of a file
     */
    public static String getSharedLibraryFileName(String name) {
        return file(name + "jni", isMac() ? ".dylib" : getJniLibraryExtension());
    }

    /**
     * The name of the library for this system.
     *
     * @param name the name that libraries are made for
     * @return a name
     * @throws UnsupportedOperationException if this system is not known
     */
    public static String getJniLibraryName(String name) {
        String bits = is64Bit() ? "64" : "32";
        if (isUnix()) {
            String libc = isMuslLibc() ? "-musl" : "";
            boolean named = isPowerPC() || isAarch64() || isS390x() || isRiscv64();
            return name + "jni-linux" + (named ? "-" + ARCH : bits) + libc;
        }
        if (isMac()) {
            return name + "jni-osx" + (is64Bit() ? "-" + (isAarch64() ? "arm64" : "x86_64") : "");
        }
        if (isFreeBSD() || isAix() || isSolaris() || isWindows()) {
            return name + "jni-" + (isFreeBSD() ? "freebsd" : isAix() ? "aix" : isSolaris() ? "solaris" : "win") + bits;
        }
        if (isOpenBSD()) {
            return name + "jni-openbsd" + bits;
        }
        throw new UnsupportedOperationException("Cannot determine JNI library name for ARCH='%s' OS='%s' name='%s'"
                .formatted(ARCH, OS, name));
    }

    /**
     * The name of a library for several kinds of this system.
     *
     * @param name the name that libraries are made for
     * @return a name, or null if there is none
     */
    public static String getFallbackJniLibraryName(String name) {
        return isMac() && is64Bit() ? name + "jni-osx" : null;
    }

    /**
     * The file of the library for this system.
     *
     * @param name the name that libraries are made for
     * @return a name of a file
     */
    public static String getJniLibraryFileName(String name) {
        return file(getJniLibraryName(name), getJniLibraryExtension());
    }

    /**
     * The file of a library for several kinds of this system.
     *
     * @param name the name that libraries are made for
     * @return a name of a file, or null if there is none
     */
    public static String getFallbackJniLibraryFileName(String name) {
        String fallback = getFallbackJniLibraryName(name);
        return fallback == null ? null : file(fallback, getJniLibraryExtension());
    }

    /**
     * How names of files of libraries end.
     *
     * @return a point with letters
     */
    public static String getJniLibraryExtension() {
        return isWindows() ? ".dll" : isMac() ? ".jnilib" : ".so";
    }

    private static String file(String library, String extension) {
        return (isWindows() ? "" : "lib") + library + extension;
    }
}
