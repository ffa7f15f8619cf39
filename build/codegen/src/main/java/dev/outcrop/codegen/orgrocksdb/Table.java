package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of published signatures.
 *
 * @param version of the published jar
 * @param types its classes by internal name, such as {@code org/rocksdb/Status$Code}
 */
record Table(String version, Map<String, JavaType> types) {

    /** A class, interface, enum or annotation. */
    record JavaType(String name, Set<String> words, String superclass, List<String> interfaces, String signature,
            List<Field> fields,
            List<Constant> constants, List<Method> methods, Map<String, String> defaults) {

        /** Returns the name without its package, for example {@code Status.Code}. */
        String sourceName() {
            return name.substring(name.lastIndexOf('/') + 1).replace('$', '.');
        }

        String simpleName() {
            return sourceName().substring(sourceName().lastIndexOf('.') + 1);
        }

        String packageName() {
            return name.substring(0, name.lastIndexOf('/')).replace('/', '.');
        }

        boolean is(String word) {
            return words.contains(word);
        }

        boolean isNested() {
            return name.contains("$");
        }

        ClassSignature generic() {
            if (!signature.isEmpty()) {
                return ClassSignature.parseFrom(signature);
            }
            return ClassSignature.of(classType(superclass),
                    interfaces.stream().map(JavaType::classType).toArray(Signature.ClassTypeSig[]::new));
        }

        private static Signature.ClassTypeSig classType(String name) {
            return (Signature.ClassTypeSig) Signature.parseFrom("L" + name + ";");
        }

        List<Method> constructors() {
            return methods.stream().filter(Method::isConstructor).toList();
        }
    }

    /** A field. */
    record Field(Set<String> words, String name, Signature type, String constant) {
    }

    /** A constant of an enum, with its fields: {@code value:B=3}. */
    record Constant(String name, List<String> fields) {

        /** Returns its number in native code, the first one among its fields, or null. */
        @Nullable
        Integer number() {
            return fields.stream().filter(f -> f.contains(":B=") || f.contains(":I="))
                    .map(f -> Integer.valueOf(f.substring(f.indexOf('=') + 1))).findFirst().orElse(null);
        }
    }

    /** A method, or a constructor with the name {@code <init>}. */
    record Method(Set<String> words, String name, String descriptor, MethodSignature generic, List<String> thrown,
            List<String> parameters) {

        boolean is(String word) {
            return words.contains(word);
        }

        boolean isConstructor() {
            return name.equals("<init>");
        }

        MethodTypeDesc type() {
            return MethodTypeDesc.ofDescriptor(descriptor);
        }

        String returned() {
            return type().returnType().descriptorString();
        }
    }

    /**
     * Reads the table.
     *
     * @throws IllegalArgumentException if a row is not understood; the message names it
     */
    static Table read(Path file) throws IOException {
        List<String> rows = Files.readAllLines(file);
        Table table = new Table(rows.getFirst().split("\t", -1)[1], new LinkedHashMap<>());
        JavaType type = new JavaType("", Set.of(), "", List.of(), "", List.of(), List.of(), List.of(), Map.of());
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split("\t", -1);
            switch (cells[0]) {
                case "class" -> {
                    type = new JavaType(cells[1], words(cells[2]), cells[3], list(cells[4]), cells[5],
                            new ArrayList<>(),
                            new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
                    table.types.put(type.name, type);
                }
                case "field" -> type.fields.add(new Field(words(cells[1]), cells[2],
                        Signature.parseFrom(cells[4].isEmpty() ? cells[3] : cells[4]), cells[5]));
                case "constant" -> type.constants.add(new Constant(cells[1], List.of(cells).subList(2, cells.length)));
                case "default" -> type.defaults.put(cells[1], cells[2]);
                case "method" -> type.methods.add(new Method(words(cells[1]), cells[2], cells[3],
                        cells[4].isEmpty()
                                ? MethodSignature.of(MethodTypeDesc.ofDescriptor(cells[3]))
                                : MethodSignature.parseFrom(cells[4]),
                        list(cells[5]), list(cells[6])));
                default -> throw new IllegalArgumentException(file + ": unknown kind of row '" + row + "'");
            }
        }
        return table;
    }

    /** Returns the classes directly inside another one. */
    List<JavaType> nestedIn(JavaType outer) {
        return types.values().stream().filter(type -> type.name.startsWith(outer.name + "$")
                && type.name.indexOf('$', outer.name.length() + 1) < 0).toList();
    }

    private static Set<String> words(String cell) {
        return Set.copyOf(list(cell.strip().replace(' ', ',')));
    }

    private static List<String> list(String cell) {
        return Stream.of(cell.split(",")).filter(part -> !part.isEmpty()).toList();
    }
}
