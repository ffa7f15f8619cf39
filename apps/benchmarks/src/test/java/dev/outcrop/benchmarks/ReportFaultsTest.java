package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.testsupport.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A report lacks something that it needs: room on the disk, a peer, the engine's library, a display. */
@Tag("verify")
class ReportFaultsTest extends RecordedReport {
    /** Writes a report on a full disk that gets one more page of room each time, until everything fits. */
    static final class FullDisk {
        private FullDisk() {
        }

        static void main(String[] arguments) throws IOException {
            Path disk = Path.of(arguments[0]);
            Path filler = disk.resolve("filler");
            Path report = disk.resolve("report");
            long room = Files.getFileStore(disk).getUsableSpace();
            int code;
            int pages = 0;
            do {
                Files.deleteIfExists(filler);
                Files.write(filler, new byte[(int) (room - pages++ * 4096L)]);
                Map<String, String> before = contents(report);
                code = TinyReport.run("report", "--dir", report.toString(), "--only",
                        "no-op call, plain, platform thread");
                Map<String, String> after = contents(report);
                before.forEach((name, text) -> {
                    if (!text.equals(after.get(name)) && !name.startsWith("report.")) {
                        System.out.println("was changed: " + name);
                    }
                });
                after.forEach((name, text) -> {
                    boolean isWhole = name.endsWith(".json")
                            ? text.endsWith("}\n")
                            : name.equals("lock") || text.endsWith("\n");
                    if (!isWhole) {
                        System.out.println("is there in part: " + name);
                    }
                });
                System.out.println("code " + code);
            } while (code != 0 && pages < 100);
        }

        private static Map<String, String> contents(Path report) throws IOException {
            Map<String, String> contents = new TreeMap<>();
            if (Files.exists(report)) {
                try (Stream<Path> files = Files.walk(report)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        contents.put(report.relativize(file).toString(), Files.readString(file));
                    }
                }
            }
            return contents;
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskLeavesWholeFilesAndTheSameCommandGoesOn() throws IOException, InterruptedException {
        List<String> lines = onDisk("4m", FullDisk.class);

        assertThat(lines).noneMatch(line -> line.startsWith("was changed") || line.startsWith("is there in part")
                || line.contains("Exception"));
        assertThat(lines.getLast()).isEqualTo("code 0");
        assertThat(lines.stream().filter(line -> line.startsWith("code "))).containsOnlyOnce("code 0");
        String report = directory.resolve("disk/report").toString();
        for (String file : List.of("run.json", "cases/calls-no-op-call-plain-platform-thread-", "report.json",
                "report.csv", "report.html")) {
            assertThat(lines).anyMatch(line -> line.startsWith("outcrop: Cannot write " + report + '/' + file)
                    && line.endsWith(": No space left on device. The finished cases before are kept; when that is "
                            + "mended, the same command goes on from there"));
        }
        assertThat(lines).contains("The report: " + report + "/report.html");
        assertThat(lines).filteredOn(line -> line.startsWith("[1/1")).hasSize(2);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void noRoomToMeasureFailsTheCase() throws IOException, InterruptedException {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount file systems");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path report = directory.resolve("report");

        ChildJvm.Result result = TinyReport.jvm(disk).withDisk(disk, "size=1m").run(TinyReport.class, "report", "--dir",
                report, "--only", "fresh key of 16 B, 16 B");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("  failed: Cannot put the engine into " + disk.resolve("engine") + ": ")
                .contains("No space left on device").contains("1 case has failed; the same command tries again");
        assertThat(report.resolve("report.html")).content()
                .contains("<h2>Not measured</h2>", "paired: fresh key of 16 B, 16 B: Cannot put the engine into");
    }

    private List<String> onDisk(String size, Class<?> program) throws IOException, InterruptedException {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount file systems");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        return TinyReport.jvm(Files.createDirectory(directory.resolve("work"))).withDisk(disk, "size=" + size)
                .lines(program, disk);
    }

    @Test
    void aMissingPeerFailsItsCasesOnly() throws IOException, InterruptedException {
        List<Path> classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of).filter(entry -> !String.valueOf(entry.getFileName()).startsWith("rocksdbjni-")).toList();

        ChildJvm.Result result = TinyReport.jvm(directory).onlyClassPath(classPath).run(TinyReport.class, cases());

        requireOneFailure(result, "java.lang.NoClassDefFoundError: org/rocksdb/");
        assertThat(result.output())
                .contains(": a jar is missing; delete apps/benchmarks/target to have ./outcrop build anew");
    }

    @Test
    void aLibraryThatCannotBeLoadedFailsItsCasesOnly() throws IOException, InterruptedException {
        ChildJvm.Result result = TinyReport.jvm(directory).option("-Doutcrop.rocksdb.library=/nowhere/librocksdb.so")
                .run(TinyReport.class, cases());

        requireOneFailure(result, "java.lang.UnsatisfiedLinkError: ");
        assertThat(result.output()).contains("/nowhere/librocksdb.so");
    }

    /** One case that needs neither a peer nor a library, and one that needs both. */
    private Object[] cases() {
        return new Object[]{"report", "--dir", directory.resolve("report"), "--only",
                "no-op call, plain, platform thread", "--only", "fresh key of 16 B, 16 B"};
    }

    private void requireOneFailure(ChildJvm.Result result, String message) throws IOException {
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).contains("  failed: " + message)
                .contains("1 case has failed; the same command tries again").doesNotContain("\tat ");
        Map<String, Object> json = JSON.std.mapFrom(directory.resolve("report/report.json").toFile());
        assertThat((List<?>) json.get("cases")).hasSize(2);
        assertThat(Files.readAllLines(directory.resolve("report/report.csv"))).hasSize(2);
        assertThat(directory.resolve("report/report.md")).content()
                .contains("- not measured: paired, fresh key of 16 B, 16 B: " + message);
    }

    @Test
    void pagesAndComparisonsNeedNoDisplay() throws IOException, InterruptedException {
        Path report = directory.resolve("report");
        String modules = "java.base,java.logging,java.management,jdk.management,jdk.unsupported,java.naming";

        ChildJvm.Result result = TinyReport.jvm(directory).option("--limit-modules=" + modules)
                .withoutEnvironment("DISPLAY").run(TinyReport.class, (Object[]) finished(report));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(report.resolve("report.html")).content().contains("<svg class=\"plot\"");
        result = TinyReport.jvm(directory).option("--limit-modules=" + modules).run(TinyReport.class, "compare", report,
                report);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }
}
