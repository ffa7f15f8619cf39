package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryCacheTest {
    private static final int ROUNDS = TestSize.choose("outcrop.unpack.rounds", 3, 40);

    @TempDir
    Path directory;

    @Test
    void whatUnpackReturnsIsCompleteHoweverManyUnpackAtOnce() throws Exception {
        byte[] content = NativesJar.library();
        URL url = Files.write(directory.resolve("content"), content).toUri().toURL();
        String sha256 = NativesJar.sha256(content);
        int threads = 4;
        CyclicBarrier together = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < ROUNDS; round++) {
                LibraryCache cache = new LibraryCache(directory.resolve("cache" + round));
                List<Future<byte[]>> unpacked = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    unpacked.add(executor.submit(() -> {
                        together.await();
                        return Files.readAllBytes(cache.unpack(url, "library", sha256));
                    }));
                }
                for (Future<byte[]> bytes : unpacked) {
                    assertThat(bytes.get()).isEqualTo(content);
                }
                assertThat(directory.resolve("cache" + round).resolve(sha256)).isDirectoryNotContaining("glob:**.tmp");
            }
        }
    }

    @Test
    void symbolicLinkInsteadOfTheFileIsReplacedAndItsTargetLeftAlone() throws IOException {
        byte[] content = {1, 2, 3};
        URL url = Files.write(directory.resolve("content"), content).toUri().toURL();
        String sha256 = NativesJar.sha256(content);
        Path victim = Files.write(directory.resolve("victim"), new byte[]{4});
        LibraryCache cache = new LibraryCache(directory.resolve("cache"));
        Path file = cache.unpack(url, "library", sha256);
        Files.delete(file);
        Files.createSymbolicLink(file, victim);
        assertThat(cache.unpack(url, "library", sha256)).hasBinaryContent(content);
        assertThat(victim).hasBinaryContent(new byte[]{4});
    }

    @Test
    void aDamagedFileIsReplacedAndAGoodOneIsNot() throws IOException {
        byte[] content = NativesJar.library();
        Path jar = directory.resolve("natives.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("library"));
            out.write(content);
        }
        String sha256 = NativesJar.sha256(content);
        byte[] flipped = content.clone();
        flipped[content.length / 2] ^= 1;
        List<byte[]> damaged = List.of(flipped, Arrays.copyOf(content, content.length - 1),
                Arrays.copyOf(content, content.length + 1), new byte[0]);
        for (URL url : List.of(URI.create("jar:" + jar.toUri() + "!/library").toURL(),
                Files.write(directory.resolve("content"), content).toUri().toURL())) {
            LibraryCache cache = new LibraryCache(directory.resolve("cache of " + url.getProtocol()));
            Path file = cache.unpack(url, "library", sha256);
            Object good = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            assertThat(Files.readAttributes(cache.unpack(url, "library", sha256), BasicFileAttributes.class).fileKey())
                    .isEqualTo(good);
            for (byte[] each : damaged) {
                Files.write(file, each);
                assertThat(cache.unpack(url, "library", sha256)).hasBinaryContent(content);
            }
        }
    }

    @Test
    void interruptedThreadUnpacksAllTheSame() throws IOException {
        byte[] content = {1, 2, 3};
        URL url = Files.write(directory.resolve("content"), content).toUri().toURL();
        String sha256 = NativesJar.sha256(content);
        LibraryCache cache = new LibraryCache(directory.resolve("cache"));
        Thread.currentThread().interrupt();
        Path unpacked;
        Path again;
        try {
            unpacked = cache.unpack(url, "library", sha256);
            again = cache.unpack(url, "library", sha256);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(unpacked).hasBinaryContent(content).isEqualTo(again);
    }
}
