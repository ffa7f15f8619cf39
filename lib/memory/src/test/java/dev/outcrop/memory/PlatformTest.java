package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    @ParameterizedTest
    @CsvSource({"Linux, amd64, glibc, linux-x86_64", "Linux, aarch64, musl, linux-aarch64-musl",
            "Linux, riscv64, glibc, linux-riscv64", "Linux, ppc64le, musl, linux-ppc64le-musl",
            "Linux, s390x, glibc, linux-s390x", "Mac OS X, x86_64, '', macos-x86_64",
            "Mac OS X, aarch64, '', macos-aarch64"})
    void namesOfTheJdkBecomeClassifiers(String osName, String osArch, String libc, String classifier) {
        Platform platform = new Platform(Platform.os(osName), Platform.arch(osArch), libc);
        assertThat(platform.classifier()).isEqualTo(classifier);
        assertThat(platform.isSupported()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"Windows Server 2022, amd64, windows-x86_64", "Linux, arm, linux-arm", "FreeBSD, amd64, freebsd-x86_64",
            "Mac OS X, ppc, macos-ppc"})
    void otherPlatformsHaveNoLibraries(String osName, String osArch, String classifier) {
        Platform platform = new Platform(Platform.os(osName), Platform.arch(osArch), "");
        assertThat(platform.classifier()).isEqualTo(classifier);
        assertThat(platform.isSupported()).isFalse();
    }

    /** File names of real processes: glibc 2.36 and 2.28, Alpine, and Debian's and Void's musl. */
    @ParameterizedTest
    @CsvSource({"/usr/lib/x86_64-linux-gnu/libc.so.6, glibc", "/lib64/libc-2.28.so, glibc",
            "/lib/ld-musl-x86_64.so.1, musl",
            "/lib/libc.musl-aarch64.so.1, musl", "/usr/lib/x86_64-linux-musl/libc.so, musl", "/usr/lib/libc.so, musl"})
    void libcIsWhatTheProcessHasMapped(String mapped, String libc) {
        assertThat(
                Platform.libc(Stream.of("561d0b1e5000-561d0b1e7000 r--p 00000000 fe:00 247026      /opt/jdk/bin/java",
                        "7f9e5b029000-7f9e5b02c000 rw-p 00000000 00:00 0 ",
                        "7f9e5b02c000-7f9e5b052000 r-xp 00000000 fe:00 326269      " + mapped,
                        "7ffc55232000-7ffc55253000 rw-p 00000000 00:00 0           [stack]")))
                .isEqualTo(libc);
    }

    @Test
    void thisProcessRunsOnTheLibcThatItsInterpreterBelongsTo() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/self/exe")), "only Linux has /proc");
        byte[] java = Files.readAllBytes(Path.of("/proc/self/exe").toRealPath());
        String text = new String(java, StandardCharsets.ISO_8859_1);
        assertThat(Platform.current().libc()).isEqualTo(text.contains("/ld-musl-") ? "musl" : "glibc");
    }
}
