package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        requireUsable(ruby(WARNED, installing() + using("jruby-mmap")));
        requireUsable(ruby(DENIED, using("jruby-mmap-queues")));
        List<Path> programs;
        try (Stream<Path> files = Files.list(PROGRAMS)) {
            programs = files.sorted().toList();
        }
        assertThat(programs).hasSizeGreaterThan(3);
        String end = "puts \"" + END.strip() + "\"\n";
        StringBuilder all = new StringBuilder(using("outcrop") + end);
        for (Path program : programs) {
            Path directory = Files.createTempDirectory(home, "program");
            // Its constants and methods are its own.
            all.append("Dir.chdir(\"%s\") { load(\"%s\", true) }\n".formatted(directory, program)).append(end);
        }
        List<String> printed = List.of(ruby(ALLOWED, all.toString()).split(END, -1));
        requireUsable(printed.getFirst());
        for (Path program : programs) {
            String text = Files.readString(program);
            assertThat(printed.get(1 + programs.indexOf(program)) + "\n").as(program.toString())
                    .isEqualTo(text.substring(text.indexOf(END) + END.length()));
        }
    }

    /** As the command gem does, in the JVM that goes on with the gem: a JRuby takes seconds to start. */
    private static String installing() {
        return """
                require "rubygems/gem_runner"
                begin
                  Gem::GemRunner.new.run(["install", "--local", "--no-document", "%s"])
                rescue SystemExit => e
                  raise unless e.success?
                end
                Gem.refresh
                """.formatted(System.getProperty("outcrop.gem", ""));
    }

    /** Requires it by one of its names, and uses it. */
    private String using(String name) {
        return """
                require "%s"
                queue = Mmap::SizedQueue.new(10, path: "%s")
                queue << "item"
                puts queue.pop, Outcrop::VERSION, $LOADED_FEATURES.grep(/outcrop/)
                queue.purge
                """.formatted(name, home.resolve("queue"));
    }

    private void requireUsable(String output) {
        assertThat(output).contains("item\n", home + "/gems/outcrop-");
    }

    /** The class path without what this project has built, which must come out of the gem. */
    private static String jruby() {
        return ClassPath.entries().stream().map(Path::toString)
                .filter(entry -> entry.endsWith(".jar")
                        && !Path.of(entry).getFileName().toString().startsWith("outcrop"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Runs a program, with native access or without. */
    private String ruby(String nativeAccess, String program) throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.bare().option("-XX:TieredStopAtLevel=1").option("-XX:+UseSerialGC")
                .option(nativeAccess).option("-cp").option(jruby()).environment("GEM_HOME", home)
                .environment("GEM_PATH", home).in(home).runJava("org.jruby.main.Main", "-e", program);
        assertThat(result.exitCode()).as(program + "\n" + result.output()).isZero();
        return result.output();
    }
}
