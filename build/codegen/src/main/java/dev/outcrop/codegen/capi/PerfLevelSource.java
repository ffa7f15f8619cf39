package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.StatisticsFacts.Counter;
import java.util.List;
import java.util.stream.Collectors;

/** The source of the public enum {@code PerfLevel}. */
record PerfLevelSource(StatisticsFacts facts) {

    /** Constants that only mark an end. */
    private static final List<String> NO_LEVELS = List.of("kUninitialized", "kOutOfBounds");

    String text() {
        return """
                %s
                package dev.outcrop.rocksdb;

                /** How much a {@link PerfContext} counts; each level includes the levels before it. */
                public enum PerfLevel {
                %s;

                    private final int value;

                    PerfLevel(int value) {
                        this.value = value;
                    }

                    /** RocksDB's number for it. */
                    int value() {
                        return value;
                    }
                }
                """.formatted(Sources.HEADER,
                facts.perfLevels().stream().filter(level -> !NO_LEVELS.contains(level.constant()))
                        .map(PerfLevelSource::constant).collect(Collectors.joining(",\n")));
    }

    private static String constant(Counter level) {
        String javaName = Names.constant(level.constant().substring(1).replaceAll("(?<=[a-z])(?=[A-Z])|(?<=CPU)", "_"));
        return "    /** RocksDB's {@code %s}. */\n    %s(%d)".formatted(level.constant(), javaName, level.number());
    }
}
