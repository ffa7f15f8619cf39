package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("verify")
class CompareCommandTest extends RecordedReport {
    @Test
    void comparingEndsWithOneAtARegressionOfMoreThanTenPercent() throws IOException {
        rows().forEach(row -> row.put("ratioError", 0.02));
        Path before = write("before.json");
        assertThat(compare(before, before)).isZero();
        assertThat(lastLine()).startsWith(rows().size() + " lines compared: 0 faster, 0 slower");

        slower(0.97);
        assertThat(compare(before, write("a.json"))).as("within the intervals").isZero();
        assertThat(lastLine()).contains(" 0 faster, 0 slower");
        slower(0.95);
        assertThat(compare(before, write("b.json"))).as("slower, but by less than 10 %").isZero();
        assertThat(lastLine()).contains(" 0 faster, 1 slower, 0 of them");
        slower(0.9);
        assertThat(compare(before, write("c.json"))).isEqualTo(1);
        assertThat(lastLine()).contains(" 0 faster, 1 slower, 1 of them");
        assertThat(out.toString()).contains("-17 %");
        assertThat(compare(directory.resolve("c.json"), before)).as("the other way round it is faster").isZero();
        rows().getFirst().put("ratioError", 0.08);
        assertThat(compare(before, write("d.json"))).as("too uncertain to judge").isZero();
        assertThat(lastLine()).contains("; 1 are too uncertain");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "absent.json | There is no file %s",
            "text.json | %s is no report: it is not JSON, or its end is missing",
            "cut.json | %s is no report: it is not JSON, or its end is missing",
            "begun | %s has no whole suite yet: let './outcrop bench report --dir ",
            "rows.json | %s has the rows of './outcrop bench --json'",
            "other.json | %s is no report of './outcrop bench report'",
            "old.json | %s has format 0, and this program reads format 2: measure again",
            "new.json | %s has format 3, and this program reads format 2: use the newer program",
            "cores.json | %s are from different machines: cores was ",
            "empty.json | %s has no results"})
    void whatCannotBeComparedIsRefusedWithCode2(String line) throws IOException {
        Path before = write("before.json");
        Files.writeString(directory.resolve("text.json"), "a text");
        Files.writeString(directory.resolve("rows.json"), "[{\"suite\": \"calls\"}]");
        Files.writeString(directory.resolve("other.json"), "{\"suite\": \"calls\"}");
        Files.writeString(directory.resolve("old.json"), "{\"outcropReport\": 0}");
        Files.writeString(directory.resolve("new.json"), "{\"outcropReport\": 3}");
        Files.writeString(directory.resolve("cut.json"), Files.readString(before).substring(0, 2000));
        Files.copy(before, Files.createDirectory(directory.resolve("begun")).resolve("run.json"));
        object(recorded.get("machine")).put("cores", "1024");
        write("cores.json");
        recorded.put("cases", List.of());
        write("empty.json");
        String[] parts = line.split(" \\| ", 2);
        Path after = directory.resolve(parts[0]);

        assertThat(compare(before, after)).isEqualTo(2);

        assertThat(err.toString().lines()).singleElement().asString()
                .startsWith("outcrop: ").contains(parts[1].formatted(after));
    }

    /** A file that was cut off is refused; one with a wrong value is refused too, or compared without it. */
    @Test
    void anythingWrongInAFileIsSaidInOneLine() throws IOException {
        Path before = write("before.json");
        String text = Files.readString(before);
        Random random = new Random(TestSize.seed(getClass()));
        Path after = directory.resolve("after.json");
        for (int i = 0; i < TestSize.choose("outcrop.report.faults", 60, 2000); i++) {
            Files.writeString(after, text.substring(0, random.nextInt(text.length() - 1)));
            assertThat(compare(before, after)).isEqualTo(2);
            requireOneLine(after);
            String change = change(random);
            write("after.json");
            if (compare(before, after) == 2) {
                requireOneLine(after);
            } else {
                assertThat(err.toString()).as(change).isEmpty();
                assertThat(lastLine()).as(change).contains(" lines compared: ");
            }
            read();
        }
    }

    private void requireOneLine(Path file) {
        assertThat(err.toString().lines()).singleElement().asString().startsWith("outcrop: ")
                .contains(file.toString()).doesNotContain("Exception");
        err.getBuffer().setLength(0);
    }

    /** Replaces or removes a member of any object in the report, and says which one. */
    private String change(Random random) {
        Map<String, Object> object = recorded;
        while (true) {
            String name = List.copyOf(object.keySet()).get(random.nextInt(object.size()));
            Object member = object.get(name);
            if (member instanceof List<?> list && !list.isEmpty()) {
                member = list.get(random.nextInt(list.size()));
            }
            if (member instanceof Map<?, ?> map && !map.isEmpty() && random.nextInt(5) > 0) {
                object = object(map);
                continue;
            }
            List<Object> others = List.of("x", -1, 0, 1e308, true, List.of(), Map.of(), List.of(1));
            int other = random.nextInt(others.size() + 2);
            if (other < others.size()) {
                object.put(name, others.get(other));
            } else if (other == others.size()) {
                object.put(name, null);
            } else {
                object.remove(name);
            }
            return name + " is " + object.get(name);
        }
    }

    private void slower(double factor) {
        Map<String, Object> first = rows().getFirst();
        first.put("peer", number(first, "peer") * factor);
    }

    private int compare(Path before, Path after) {
        return run("compare", before.toString(), after.toString());
    }

    private Path write(String name) throws IOException {
        Path file = directory.resolve(name);
        JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).write(recorded, file.toFile());
        return file;
    }
}
