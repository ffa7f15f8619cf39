package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.Facts.CEnum;
import java.util.stream.Collectors;

/** The source of class {@code CConstants}: the constants of the C API's enums. */
record CConstantsSource(Facts facts) {

    String text() {
        return """
                %s
                package dev.outcrop.rocksdb.engine.capi;

                /** The constants of the enums in the C API of RocksDB %s, with their names, grouped by enum. */
                public final class CConstants {

                    /** The version of RocksDB's header. */
                    public static final String ROCKSDB_VERSION = "%s";

                    private CConstants() {
                    }
                %s}
                """.formatted(Sources.HEADER, facts.version(), facts.version(),
                facts.enums().stream().map(CConstantsSource::group).collect(Collectors.joining()));
    }

    private static String group(CEnum group) {
        return group.constants().stream().map(constant -> """
                    /** Of the enum {@code %s}. */
                    public static final int %s = %d;
                """.formatted(group.name(), constant.name(), Math.toIntExact(constant.value())))
                .collect(Collectors.joining("", "\n    // " + group.name() + "\n", ""));
    }
}
