package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** A disk that seeks slowly: every wait for it takes so much longer, by {@code seek.c}. */
record SeekCase() implements JRubyCase {
    private static final SequencedMap<String, String> SUBJECTS = subjects();
    private static final List<Integer> MILLIS = List.of(0, 1, 5, 10);
    private static final int MICROS_A_MILLI = 1000;
    private static final int ITEMS = 20_000;
    private static final int SYNCS = 25;

    private static SequencedMap<String, String> subjects() {
        SequencedMap<String, String> names = new LinkedHashMap<>();
        names.put("mmap-1", "Mmap::Queue, forced every push");
        names.put("mmap-100", "Mmap::Queue, forced every 100");
        names.put("mmap-never", "Mmap::Queue, never forced");
        names.put("every_push-1", "Outcrop::Queue, every_push");
        names.put("every_push-8", "Outcrop::Queue, every_push, 8 threads");
        names.put("group_commit", "Outcrop::Queue, group_commit");
        names.put("page_cache", "Outcrop::Queue, page_cache");
        return names;
    }

    @Override
    public String name() {
        return "slow disk";
    }

    @Override
    public List<Row> run(Lab lab) {
        Optional<Path> library = CProgram.library("seek", lab);
        if (library.isEmpty()) {
            lab.say(name() + ": not measured");
            return List.of();
        }
        List<Integer> seeks = lab.effort().isQuick() ? List.of(MILLIS.getFirst(), MILLIS.getLast()) : MILLIS;
        Sides sides = new Sides(lab, SUBJECTS.firstEntry().getKey());
        for (int millis : seeks) {
            int micros = millis * MICROS_A_MILLI;
            sides.add(side(millis), "seek",
                    Map.of("itemBytes", ITEM_BYTES, "items", ITEMS, "syncs", SYNCS, "seekMicros", micros),
                    Map.of("LD_PRELOAD", library.get().toString(), "OUTCROP_SEEK_MICROS", Integer.toString(micros)));
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
        rows.forEach(row -> bars.addRate(row.subject(), String.valueOf(row.params().get("seek")), row.ours().nanos()));
        return List.of(bars.draw(directory.resolve("jruby-seek.png")));
    }
}
