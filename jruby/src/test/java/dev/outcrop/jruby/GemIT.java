package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gem that was built can be installed without a network, and answers to its three names. */
class GemIT {
    private static final List<String> NAMES = List.of("outcrop", "jruby-mmap", "jruby-mmap-queues");

    @TempDir
    Path home;

    @Test
    void isInstalledAndRequired() throws Exception {
        ruby("-S", "gem", "install", "--local", "--no-document", System.getProperty("outcrop.gem", ""));
        for (String name : NAMES) {
            String output = ruby("-e", "require '" + name
                    + "'; puts Mmap, Outcrop::VERSION, $LOADED_FEATURES.grep(/outcrop/)");
            assertThat(output).contains("Mmap\n", home + "/gems/outcrop-");
        }
    }

    /** The class path without what this project has built, which must come out of the gem. */
    private static String jruby() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar")
                        && !Path.of(entry).getFileName().toString().startsWith("outcrop"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private String ruby(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", jruby(),
                        "org.jruby.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("GEM_HOME", home.toString());
        builder.environment().put("GEM_PATH", home.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command + "\n" + output).isZero();
        return output;
    }
}
