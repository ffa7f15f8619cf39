package dev.outcrop.benchmarks.harness;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A C program of this module. It shows the best that the machine and the engine allow. {@link RunContext} compiles it.
 *
 * @param executable the compiled program
 */
public record CProgram(Path executable) {
    private static final String RESOURCES = "/dev/outcrop/benchmarks/c/";

    /** Compiles a source of this module with all its headers. Returns the result. */
    static Path compile(String name, Path directory, String result, List<String> flags) {
        try {
            Files.createDirectories(directory);
            for (String header : List.of("bench.h", "engine.h", "crc32c.h")) {
                extract(header, directory);
            }
            Path compiled = directory.resolve(result);
            List<String> command = new ArrayList<>(List.of("cc"));
            command.addAll(flags);
            command.addAll(List.of("-o", compiled.toString(), extract(name + ".c", directory).toString(), "-ldl", "-lm",
                    "-lpthread"));
            Processes.run(command, Map.of());
            return compiled;
        } catch (IOException e) {
            throw new BenchmarkException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns a process that runs the program with these arguments. */
    public BenchmarkProcess process(Object... arguments) {
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return _ -> ProcessOutput.parse(Processes.run(command, Map.of()));
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
