package dev.outcrop.benchmarks.report;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.DirectoryLock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The directory of a report. {@code run.json} has the machine and the settings of the report, and {@code cases} has a file for each
 * finished case. Every file is first written under another name and then renamed, so that it is either whole or missing. Only one process
 * at a time has the directory.
 */
final class ReportDirectory implements AutoCloseable {
    private static final JSON PRETTY = JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT,
            JSON.Feature.WRITE_NULL_PROPERTIES);
    private static final String RUN = "run.json";
    private static final String CASES = "cases";
    private static final String UNFINISHED = ".tmp";
    private static final int LONGEST_NAME = 60;

    private final Path directory;
    private final DirectoryLock lock;

    private ReportDirectory(Path directory, DirectoryLock lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Opens the directory. Creates it if it does not exist. Fails if it holds anything else than a report. */
    static ReportDirectory open(Path directory) {
        try {
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new NotDirectoryException(directory.toString());
            }
            if (Files.isDirectory(directory)) {
                requireReport(directory);
            }
            Files.createDirectories(directory.resolve(CASES));
            return new ReportDirectory(directory, DirectoryLock.take(directory, "Another process writes the report in "
                    + directory + ": wait for its end, or name another directory"));
        } catch (NotDirectoryException e) {
            throw new BenchmarkException(directory + " is not a directory", e);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot write a report to " + directory + ": " + e, e);
        }
    }

    /** Fails if there are files that are not a report's, before any file is written beside them. */
    private static void requireReport(Path directory) throws IOException {
        Path run = run(directory);
        if (Files.exists(run)) {
            ReportData.read(run);
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> foreign = files.filter(Predicate.not(ReportDirectory::isOfAnUnfinishedStart)).findFirst();
            if (foreign.isPresent()) {
                throw new BenchmarkException(directory + " holds files, such as " + foreign.get().getFileName()
                        + ", and no report: name an empty directory, or one that does not exist");
            }
        }
    }

    private static boolean isOfAnUnfinishedStart(Path file) {
        String name = String.valueOf(file.getFileName());
        String[] cases = name.equals(CASES) ? file.toFile().list() : null;
        return name.equals(DirectoryLock.FILE) || name.equals(RUN + UNFINISHED) || (cases != null && cases.length == 0);
    }

    private static Path run(Path directory) {
        return directory.resolve(RUN);
    }

    /** Returns the machine and the settings of the report, without cases; empty in a new directory. */
    Optional<ReportData> head() {
        Path run = run(directory);
        return Files.exists(run) ? Optional.of(ReportData.read(run)) : Optional.empty();
    }

    /** Writes the machine and the settings of the report. */
    void begin(Machine machine, ReportSettings settings) {
        writeJson(run(directory), ReportData.head(machine, settings));
    }

    /** Returns a case if it is finished. */
    Optional<ReportData.MeasuredCase> finished(String suite, String label) {
        Path file = file(suite, label);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            ReportData.MeasuredCase found = ReportData.MeasuredCase.of(JSON.std.mapFrom(file.toFile()));
            if (!found.suite().equals(suite) || !found.label().equals(label)) {
                throw new IllegalArgumentException("it is of " + found.suite() + ": " + found.label());
            }
            return Optional.of(found);
        } catch (IOException | IllegalArgumentException e) {
            throw new BenchmarkException(file + " is damaged; delete it to have '" + label + "' measured again", e);
        }
    }

    void write(ReportData.MeasuredCase finished) {
        writeJson(file(finished.suite(), finished.label()), finished.json());
    }

    /** Returns the file of a case. Its name tells people what is in it. The hash makes the name unique. */
    private Path file(String suite, String label) {
        String readable = label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return directory.resolve(CASES).resolve(String.format(Locale.ROOT, "%s-%s-%08x.json", suite,
                readable.substring(0, Math.min(readable.length(), LONGEST_NAME)), label.hashCode()));
    }

    private void writeJson(Path file, Map<String, Object> object) {
        try {
            write(file, PRETTY.asString(object) + '\n');
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Replaces a file of the report, and returns it. */
    Path write(String name, String text) {
        Path file = directory.resolve(name);
        try {
            write(file, text);
            return file;
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    /** Replaces the file with all results. */
    void write(ReportData report) {
        writeJson(directory.resolve("report.json"), report.json());
    }

    private static void write(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + UNFINISHED);
        try {
            Files.writeString(fresh, text);
            try (FileChannel written = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                written.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            // On a full disk, half a file would take room that the other files need.
            Files.deleteIfExists(fresh);
        }
    }

    private static BenchmarkException unwritable(Path file, IOException e) {
        String reason = e instanceof FileSystemException failed && failed.getReason() != null
                ? failed.getReason()
                : String.valueOf(e.getMessage());
        return new BenchmarkException("Cannot write " + file + ": " + reason
                + ". The finished cases before are kept; when that is mended, the same command goes on from there", e);
    }

    @Override
    public void close() {
        lock.close();
    }
}
