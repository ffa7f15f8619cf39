package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** A disk that seeks slowly: every wait for it takes so much longer, by {@code seek.c}. */
record SeekCase() implements JRubyCase {
    private static final SequencedMap<String, String> SUBJECTS = JRubyCase.names("mmap-1",
            "Mmap::Queue, forced every push",
            "mmap-100", "Mmap::Queue, forced every 100",
            "mmap-never", "Mmap::Queue, never forced",
            "every_push-1", "Outcrop::Queue, every_push",
            "every_push-8", "Outcrop::Queue, every_push, 8 threads",
            "group_commit", "Outcrop::Queue, group_commit",
            "page_cache", "Outcrop::Queue, page_cache");
    private static final List<Integer> MILLIS = List.of(0, 1, 5, 10);
    private static final int MICROS_A_MILLI = 1000;
    private static final int ITEMS = 20_000;
    private static final int SYNCS = 25;

    @Override
    public String label() {
        return "slow disk";
    }

    @Override
    public List<Row> run(Lab lab) {
        Path library = lab.library("seek");
        if (library == null) {
            lab.say(label() + ": not measured");
            return List.of();
        }
        List<Integer> seeks = lab.effort().isQuick() ? List.of(MILLIS.getFirst(), MILLIS.getLast()) : MILLIS;
        RubySides sides = new RubySides(lab);
        for (int millis : seeks) {
            int micros = millis * MICROS_A_MILLI;
            sides.add(side(millis), "seek",
                    Map.of("itemBytes", ITEM_BYTES, "items", ITEMS, "syncs", SYNCS, "seekMicros", micros),
                    Map.of("LD_PRELOAD", library.toString(), "OUTCROP_SEEK_MICROS", Integer.toString(micros)));
        }
        sides.run();
        List<Row> rows = new ArrayList<>();
        for (int millis : seeks) {
            SUBJECTS.forEach((figure, subject) -> rows.add(row(JRubyCase.params("seek", side(millis)), subject,
                    sides.of(side(millis), figure), "without a seek", sides.of(side(MILLIS.getFirst()), figure),
                    null)));
        }
        return rows;
    }

    private static String side(int millis) {
        return millis + " ms";
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("longer for each wait for the disk", "items a second", true);
        rows.forEach(row -> bars.addRate(row.subject(), String.valueOf(row.params().get("seek")), row.ours().median()));
        return List.of(bars.draw(directory.resolve("jruby-seek.png")));
    }
}
