package dev.outcrop.benchmarks.harness;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A C program of this module, compiled when it is needed: what the machine and the engine allow at best. */
public final class CProgram {
    private static final String RESOURCES = "/dev/outcrop/benchmarks/c/";

    private final Path executable;

    private CProgram(Path executable) {
        this.executable = executable;
    }

    /**
     * Compiles a program with {@code cc -O2}. A machine without a C compiler is no error: there is no limit to compare
     * with then, and the run says so once.
     *
     * @param name file name of the source, without {@code .c}
     * @param lab  where the executable goes, and who is told if there is none
     * @return the program, or empty if it cannot be compiled on this machine
     */
    public static Optional<CProgram> compile(String name, Lab lab) {
        return compile(name, name, List.of("-O2"), lab).map(CProgram::new);
    }

    /**
     * Compiles a program with {@code cc -O3} for the processor of this machine, as the JVM compiles its own.
     *
     * @param name file name of the source, without {@code .c}
     * @param lab  where the executable goes, and who is told if there is none
     * @return the program, or empty if it cannot be compiled on this machine
     */
    public static Optional<CProgram> compileForThisMachine(String name, Lab lab) {
        String processor = System.getProperty("os.arch", "").equals("aarch64") ? "-mcpu=native" : "-march=native";
        return compile(name, name, List.of("-O3", processor), lab).map(CProgram::new);
    }

    /**
     * Compiles functions with {@code cc -O2 -shared -fPIC}, for a JVM to load.
     *
     * @param name file name of the source, without {@code .c}
     * @param lab  where the library goes, and who is told if there is none
     * @return the library, or empty if it cannot be compiled on this machine
     */
    public static Optional<Path> library(String name, Lab lab) {
        return compile(name, System.mapLibraryName(name), List.of("-O2", "-shared", "-fPIC"), lab);
    }

    private static Optional<Path> compile(String name, String result, List<String> flags, Lab lab) {
        try {
            Path directory = Files.createDirectories(lab.directory().resolve("c"));
            Path source = extract(name + ".c", directory);
            extract("bench.h", directory);
            extract("engine.h", directory);
            extract("crc32c.h", directory);
            Path compiled = directory.resolve(result);
            List<String> command = new ArrayList<>(List.of("cc"));
            command.addAll(flags);
            command.addAll(List.of("-o", compiled.toString(), source.toString(), "-ldl", "-lm", "-lpthread"));
            Processes.run(command);
            return Optional.of(compiled);
        } catch (IOException | BenchmarkException e) {
            lab.say("no limit: the C program cannot be compiled (" + e.getMessage() + ")");
            return Optional.empty();
        }
    }

    /**
     * Makes a probe of the program.
     *
     * @param arguments its command line; it prints one number, the nanoseconds an operation takes
     * @return measures by running it
     */
    public Probe probe(List<String> arguments) {
        return () -> new Sample(List.of(Double.valueOf(run(arguments))), List.of(0.0));
    }

    /**
     * Runs the program.
     *
     * @param arguments its command line
     * @return what it printed
     * @throws BenchmarkException if it fails
     */
    public String run(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        command.addAll(arguments);
        return Processes.run(command);
    }

    private static Path extract(String name, Path directory) throws IOException {
        Path file = directory.resolve(name);
        try (InputStream source = CProgram.class.getResourceAsStream(RESOURCES + name)) {
            if (source == null) {
                throw new FileNotFoundException(name + " is not on the class path");
            }
            Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }
}
