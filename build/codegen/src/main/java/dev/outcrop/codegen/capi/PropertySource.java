package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.StatisticsFacts.Property;
import java.util.stream.Collectors;

/** The source of class {@code Property}: the names of a database's properties. */
record PropertySource(StatisticsFacts facts) {

    String text() {
        return """
                %s
                package dev.outcrop.rocksdb;

                import java.util.List;

                /**
                 * The names of the properties of a database and of its column families. RocksDB describes them in its header
                 * {@code db.h}.
                 */
                public final class Property {

                    private Property() {
                    }
                %s
                    /** All properties with a number as value. */
                    public static final List<String> NUMBERS = List.of(%s);
                }
                """
                .formatted(Sources.HEADER,
                        facts.properties().stream().map(PropertySource::constant).collect(Collectors.joining()),
                        facts.properties().stream().filter(property -> property.kind().equals("number"))
                                .map(property -> javaName(property.name()))
                                .collect(Collectors.joining(",\n            ")));
    }

    private static String constant(Property property) {
        return """

                    /** The property {@code %1$s}%2$s. */
                    public static final String %3$s = "%1$s";
                """.formatted(property.name(), kind(property), javaName(property.name()));
    }

    private static String kind(Property property) {
        return switch (property.kind()) {
            case "number" -> ", a number";
            case "text" -> ", a text";
            case "argument" ->
                "; append " + (property.name().endsWith("temperature") ? "a temperature's" : "a level's") + " number";
            default -> throw new IllegalArgumentException(
                    "the property " + property.name() + " has the unknown kind " + property.kind());
        };
    }

    private static String javaName(String name) {
        return Names.constant(name.substring("rocksdb.".length()).replace('-', '_'));
    }
}
