package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gem that was built can be installed without a network, answers to its three names, and runs programs that were written for the gems
 * of 2015.
 */
class GemIT {
    private static final String ALLOWED = "--enable-native-access=ALL-UNNAMED";
    private static final String WARNED = "--illegal-native-access=warn";
    private static final String DENIED = "--illegal-native-access=deny";

    private static final Path PROGRAMS = Path.of("src/test/ruby/programs_of_2015").toAbsolutePath();
    /** Behind it, a program has what it prints. */
    private static final String END = "\n__END__\n";

    @TempDir
    Path home;

    @Test
    void isInstalledAndRequired() throws Exception {
        ruby(ALLOWED, "-S", "gem", "install", "--local", "--no-document", System.getProperty("outcrop.gem", ""));
        check("outcrop", ALLOWED);
        check("jruby-mmap", WARNED);
        check("jruby-mmap-queues", DENIED);
        try (Stream<Path> programs = Files.list(PROGRAMS)) {
            assertThat(programs.toList()).hasSizeGreaterThan(3).allSatisfy(this::checkProgram);
        }
    }

    /** Runs a program in a directory of its own, and compares what it prints. */
    private void checkProgram(Path program) throws IOException, InterruptedException {
        String text = Files.readString(program);
        Path directory = Files.createTempDirectory(home, "program");
        assertThat(ruby(directory, ALLOWED, program.toString()))
                .isEqualTo(text.substring(text.indexOf(END) + END.length()));
    }

    /** Requires it by one of its names, and uses it, with native access or without. */
    private void check(String name, String nativeAccess) throws IOException, InterruptedException {
        String output = ruby(nativeAccess, "-e", """
                require "%s"
                queue = Mmap::SizedQueue.new(10, path: "%s")
                queue << "item"
                puts queue.pop, Outcrop::VERSION, $LOADED_FEATURES.grep(/outcrop/)
                queue.purge
                """.formatted(name, home.resolve("queue")));
        assertThat(output).contains("item\n", home + "/gems/outcrop-");
    }

    /** The class path without what this project has built, which must come out of the gem. */
    private static String jruby() {
        return ClassPath.entries().stream().map(Path::toString)
                .filter(entry -> entry.endsWith(".jar")
                        && !Path.of(entry).getFileName().toString().startsWith("outcrop"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private String ruby(String nativeAccess, String... arguments) throws IOException, InterruptedException {
        return ruby(home, nativeAccess, arguments);
    }

    private String ruby(Path directory, String nativeAccess, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("org.jruby.main.Main"));
        command.addAll(List.of(arguments));
        ChildJvm.Result result = ChildJvm.bare().option("-XX:TieredStopAtLevel=1").option(nativeAccess).option("-cp")
                .option(jruby()).environment("GEM_HOME", home).environment("GEM_PATH", home).in(directory)
                .runJava(command.toArray());
        assertThat(result.exitCode()).as(command + "\n" + result.output()).isZero();
        return result.output();
    }
}
