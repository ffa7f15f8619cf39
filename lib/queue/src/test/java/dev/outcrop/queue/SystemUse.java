package dev.outcrop.queue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The use of the system by this process, from Linux. */
final class SystemUse {
    private SystemUse() {
    }

    /** The memory that this process has for itself, without mapped files, in KiB. */
    static long anonymousKib() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"), StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow();
        }
    }

    /** How many mappings this process has of files in a directory. */
    static long mappings(Path directory) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"), StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.contains(directory + "/")).count();
        }
    }

    /** How many descriptors this process has of files in a directory. */
    static long descriptors(Path directory) throws IOException {
        long count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : all) {
                // That of the stream itself, and others that come and go.
                if (Files.isSymbolicLink(descriptor) && target(descriptor).startsWith(directory.toString())) {
                    count++;
                }
            }
        }
        return count;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }
}
