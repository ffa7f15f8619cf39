package dev.outcrop.benchmarks.report;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
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
 * The directory of a report. {@code run.json} says what it is a report of, and {@code cases} has a file for each finished case. Every file is
 * written beside its place and renamed, so that it is whole or not there. Only one process at a time has the directory.
 */
final class ReportDirectory implements AutoCloseable {
    private static final JSON PRETTY = JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT,
            JSON.Feature.WRITE_NULL_PROPERTIES);
    private static final String UNFINISHED = ".tmp";
    private static final int LONGEST_NAME = 60;

    private final Path directory;
    private final FileChannel lock;

    private ReportDirectory(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Opens the directory, which is made if there is none. Fails if it holds anything but a report. */
    static ReportDirectory open(Path directory) {
        try {
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new NotDirectoryException(directory.toString());
            }
            Path run = run(directory);
            if (Files.isDirectory(directory) && !Files.exists(run)) {
                try (Stream<Path> files = Files.list(directory)) {
                    Optional<Path> foreign = files.filter(Predicate.not(ReportDirectory::isOfAnUnfinishedStart))
                            .findFirst();
                    if (foreign.isPresent()) {
                        throw new BenchmarkException(directory + " holds files, such as " + foreign.get().getFileName()
                                + ", and no report: name an empty directory, or one that does not exist");
                    }
                }
            }
            Files.createDirectories(directory.resolve("cases"));
            FileChannel lock = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (!isLocked(lock)) {
                lock.close();
                throw new BenchmarkException("Another process writes the report in " + directory
                        + ": wait for its end, or name another directory");
            }
            return new ReportDirectory(directory, lock);
        } catch (NotDirectoryException e) {
            throw new BenchmarkException(directory + " is no directory", e);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot write a report to " + directory + ": " + e, e);
        }
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static boolean isOfAnUnfinishedStart(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.equals("lock") || name.equals("cases") || name.endsWith(UNFINISHED);
    }

    private static Path run(Path directory) {
        return directory.resolve("run.json");
    }

    /** Returns what this is a report of, without cases; empty in a new directory. */
    Optional<ReportData> head() {
        Path run = run(directory);
        return Files.exists(run) ? Optional.of(ReportData.read(run)) : Optional.empty();
    }

    /** Writes what this is a report of. */
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
            return Optional.of(ReportData.MeasuredCase.of(JSON.std.mapFrom(file.toFile())));
        } catch (IOException | ClassCastException | IllegalArgumentException e) {
            throw new BenchmarkException(file + " is damaged; delete it to have '" + label + "' measured again", e);
        }
    }

    void write(ReportData.MeasuredCase finished) {
        writeJson(file(finished.suite(), finished.label()), finished.json());
    }

    /** The name of the file tells people what is in it; the hash makes it unique. */
    private Path file(String suite, String label) {
        String readable = label.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return directory.resolve("cases").resolve(String.format(Locale.ROOT, "%s-%s-%08x.json", suite,
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
        Files.writeString(fresh, text);
        try (FileChannel written = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static BenchmarkException unwritable(Path file, IOException e) {
        return new BenchmarkException("Cannot write " + file + ": " + e.getMessage()
                + ". All cases before are kept; the same command goes on from there", e);
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new BenchmarkException("Cannot close " + directory + ": " + e.getMessage(), e);
        }
    }
}
