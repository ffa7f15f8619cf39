package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Property;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db properties}. */
@Command(name = "properties", description = {"Show RocksDB's properties.",
        "All properties that are numbers, or the named ones, such as 'stats'.",
        ""}, footer = {"", "  ./outcrop db properties data estimate-num-keys levelstats"})
final class PropertiesCommand extends DatabaseAction {
    private static final String PREFIX = "rocksdb.";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME", description = "The properties, with or without 'rocksdb.' in front.")
    private List<String> names = List.of();

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            Map<String, Object> values = names.isEmpty() ? numbers(family.of(open.db())) : named(family.of(open.db()));
            if (json) {
                out.println(Json.line(values));
            } else if (values.size() == 1 && !names.isEmpty()) {
                values.values().forEach(value -> out.println(value.toString().stripTrailing()));
            } else {
                values.forEach((name, value) -> out.println(name + "\t" + value.toString().stripTrailing()));
            }
        }
        return 0;
    }

    private static Map<String, Object> numbers(ColumnFamily of) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (String name : Property.NUMBERS) {
            Long value = of.longProperty(name);
            // If there is no cache, it has no size.
            if (value != null) {
                values.put(name, value);
            }
        }
        return values;
    }

    private Map<String, Object> named(ColumnFamily of) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (String name : names) {
            String full = name.startsWith(PREFIX) ? name : PREFIX + name;
            Long number = of.longProperty(full);
            String text = of.property(full);
            if (number == null && text == null) {
                throw new Failure("RocksDB has no property " + full + " here; './outcrop db properties " + directory()
                        + "' lists those that are numbers");
            }
            values.put(full, number != null ? number : String.valueOf(text));
        }
        return values;
    }
}
