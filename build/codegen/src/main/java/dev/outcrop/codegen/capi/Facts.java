package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * The table of facts about the C API, in the order of the header.
 *
 * @param version RocksDB's version, such as {@code 11.8.1}
 * @param opaques structs that the header declares without a definition; C code has pointers to them
 * @param structs structs with a definition, by name
 * @param callbacks types of function pointers: a typedef's name, or {@code function.parameter} for a type without a name
 * @param enums enums of the C header with their constants
 * @param cxxEnums enums of the C++ headers that the C API takes as numbers, by name
 * @param functions functions, by name
 */
public record Facts(String version, Set<String> opaques, Map<String, CStruct> structs, Map<String, CFunction> callbacks,
        List<CEnum> enums, Map<String, CEnum> cxxEnums, Map<String, CFunction> functions) {

    /**
     * A struct with a definition.
     *
     * @param name   of the struct
     * @param size   in bytes
     * @param align  in bytes
     * @param fields in their order
     */
    public record CStruct(String name, long size, long align, List<CField> fields) {
    }

    /**
     * A field of a struct.
     *
     * @param name   of the field
     * @param type   as C spells it
     * @param offset in bytes
     */
    public record CField(String name, String type, long offset) {
    }

    /**
     * An enum.
     *
     * @param name      from the extractor if the header has none
     * @param constants in their order
     */
    public record CEnum(String name, List<CConstant> constants) {

        /** The value of a constant. */
        long value(String constant) {
            return constants.stream().filter(c -> c.name().equals(constant)).findFirst().map(CConstant::value)
                    .orElseThrow(() -> new IllegalArgumentException("enum " + name + " has no constant " + constant));
        }
    }

    /**
     * A constant of an enum.
     *
     * @param name  of the constant
     * @param value of the constant
     */
    public record CConstant(String name, long value) {
    }

    /**
     * Reads the table.
     *
     * @param table a file from build/tools/capi
     * @return the facts
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException if a row cannot be read; the message names it
     */
    public static Facts read(Path table) throws IOException {
        List<String> rows = Files.readAllLines(table);
        Facts facts = new Facts(value(table, rows), new LinkedHashSet<>(), new LinkedHashMap<>(),
                new LinkedHashMap<>(), new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
        for (int i = 1; i < rows.size(); i++) {
            try {
                facts.add(List.of(rows.get(i).split("\t", -1)));
            } catch (IndexOutOfBoundsException | IllegalArgumentException | NoSuchElementException e) {
                throw new IllegalArgumentException(
                        table + ":" + (i + 1) + ": cannot read the row '" + rows.get(i) + "'", e);
            }
        }
        return facts;
    }

    /** An enum of the C++ headers. */
    CEnum cxxEnum(String name) {
        CEnum found = cxxEnums.get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "the table has no C++ enum " + name + ": add it to build/tools/capi/extract.py");
        }
        return found;
    }

    private static String value(Path table, List<String> rows) {
        if (rows.isEmpty() || !rows.getFirst().startsWith("version\t")) {
            throw new IllegalArgumentException(table + ": the first row must be the version of RocksDB");
        }
        return rows.getFirst().substring("version\t".length());
    }

    private void add(List<String> row) {
        String name = row.get(1);
        switch (row.getFirst()) {
            case "opaque" -> opaques.add(name);
            case "struct" -> structs.put(name,
                    new CStruct(name, Long.parseLong(row.get(2)), Long.parseLong(row.get(3)), new ArrayList<>()));
            case "field" ->
                last(structs.values()).fields().add(new CField(name, row.get(2), Long.parseLong(row.get(3))));
            case "enum" -> enums.add(new CEnum(name, new ArrayList<>()));
            case "cxxenum" -> cxxEnums.put(name, new CEnum(name, new ArrayList<>()));
            case "constant" -> (cxxEnums.isEmpty() ? enums.getLast() : last(cxxEnums.values())).constants()
                    .add(new CConstant(name, Long.parseLong(row.get(2)))); // the C++ enums are at the end
            case "callback" -> callbacks.put(name, CFunction.of(row));
            case "function" -> functions.put(name, CFunction.of(row));
            default -> throw new IllegalArgumentException("unknown kind of row '" + row.getFirst() + "'");
        }
    }

    private static <T> T last(Collection<T> rows) {
        return rows.stream().reduce((first, second) -> second)
                .orElseThrow(() -> new IllegalArgumentException("a part of a struct or enum before the first of them"));
    }
}
