package org.rocksdb.util;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** The operating system, and the names of libraries on it. */
public class Environment {

    private static final String OS = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    private static final String ARCH = System.getProperty("os.arch").toLowerCase(Locale.ROOT);

    /** Does nothing: all members are static. */
    public Environment() {
    }

    /** {@return whether this is 64-bit ARM} */
    public static boolean isAarch64() {
        return ARCH.contains("aarch64");
    }

    /** {@return whether this is PowerPC} */
    public static boolean isPowerPC() {
        return ARCH.contains("ppc");
    }

    /** {@return whether this is IBM Z} */
    public static boolean isS390x() {
        return ARCH.contains("s390x");
    }

    /** {@return whether this is 64-bit RISC-V} */
    public static boolean isRiscv64() {
        return ARCH.contains("riscv64");
    }

    /** {@return whether this has 64 bits} */
    public static boolean is64Bit() {
        return ARCH.contains("64") || isS390x() || ARCH.contains("sparcv9");
    }

    /** {@return whether this is Windows} */
    public static boolean isWindows() {
        return OS.contains("win") && !isMac();
    }

    /** {@return whether this is FreeBSD} */
    public static boolean isFreeBSD() {
        return OS.contains("freebsd");
    }

    /** {@return whether this is macOS} */
    public static boolean isMac() {
        return OS.contains("mac");
    }

    /** {@return whether this is AIX} */
    public static boolean isAix() {
        return OS.contains("aix");
    }

    /** {@return whether this is Linux or another Unix} */
    public static boolean isUnix() {
        return OS.contains("nix") || OS.contains("nux");
    }

    /** {@return whether this is Solaris} */
    public static boolean isSolaris() {
        return OS.contains("sunos");
    }

    /** {@return whether this is OpenBSD} */
    public static boolean isOpenBSD() {
        return OS.contains("openbsd");
    }

    /** {@return whether the C library is musl; the variable {@code ROCKSDB_MUSL_LIBC} overrides this} */
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

    /** {@return {@code musl} if the C library is part of the names of libraries, otherwise null} */
    public static String getLibcName() {
        return isMuslLibc() ? "musl" : null;
    }

    /**
     * Returns the name of the library for all systems.
     *
     * @param name the name that libraries are made for
     * @return a name
     */
    public static String getSharedLibraryName(String name) {
        return name + "jni";
    }

    /**
     * Returns the file of the library for all systems.
     *
     * @param name the name that libraries are made for
     * @return a name of a file
     */
    public static String getSharedLibraryFileName(String name) {
        return file(name + "jni", isMac() ? ".dylib" : getJniLibraryExtension());
    }

    /**
     * Returns the name of the library for this system.
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
     * Returns the name of a library for several kinds of this system.
     *
     * @param name the name that libraries are made for
     * @return a name, or null if there is none
     */
    public static String getFallbackJniLibraryName(String name) {
        return isMac() && is64Bit() ? name + "jni-osx" : null;
    }

    /**
     * Returns the file of the library for this system.
     *
     * @param name the name that libraries are made for
     * @return a name of a file
     */
    public static String getJniLibraryFileName(String name) {
        return file(getJniLibraryName(name), getJniLibraryExtension());
    }

    /**
     * Returns the file of a library for several kinds of this system.
     *
     * @param name the name that libraries are made for
     * @return a name of a file, or null if there is none
     */
    public static String getFallbackJniLibraryFileName(String name) {
        String fallback = getFallbackJniLibraryName(name);
        return fallback == null ? null : file(fallback, getJniLibraryExtension());
    }

    /** {@return the extension of the files of libraries, with its dot} */
    public static String getJniLibraryExtension() {
        return isWindows() ? ".dll" : isMac() ? ".jnilib" : ".so";
    }

    private static String file(String library, String extension) {
        return (isWindows() ? "" : "lib") + library + extension;
    }
}
