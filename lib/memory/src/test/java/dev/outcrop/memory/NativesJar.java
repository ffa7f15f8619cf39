package dev.outcrop.memory;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Jars like those of outcrop-rocksdb-natives, around a small library of the JDK that is there on every platform. */
final class NativesJar {
    static final Platform PLATFORM = Platform.current();
    static final String FILE = PLATFORM.libraryFile("rocksdb");

    private NativesJar() {
    }

    /** A real library, made longer so that unpacking takes a while; the dynamic linker ignores what follows. */
    static byte[] library() throws IOException {
        byte[] library = Files
                .readAllBytes(Path.of(System.getProperty("java.home"), "lib", PLATFORM.libraryFile("syslookup")));
        return Arrays.copyOf(library, 2 << 20);
    }

    static Path write(Path jar) throws IOException {
        return write(jar, library(), sha256(library()));
    }

    static Path write(Path jar, byte[] library, String sha256) throws IOException {
        String resource = "dev/outcrop/natives/" + PLATFORM.classifier() + "/" + FILE;
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new ZipEntry(resource));
            entries.write(library);
            entries.putNextEntry(new ZipEntry(resource + ".sha256"));
            entries.write(sha256.getBytes(StandardCharsets.US_ASCII));
        }
        return jar;
    }

    static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static List<String> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
