package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.io.IOException;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The native methods of the published classes that our classes use. The first line of {@code jni-natives.tsv} explains its rows. Each
 * native method gets a package-private method, which first makes sure that the JVM can link the native method.
 *
 * @param rows the native methods
 */
record NativeTable(List<Row> rows) {

    /**
     * A native method.
     *
     * @param type the class
     * @param words its modifiers
     * @param name its name
     * @param descriptor its types
     * @param thrown the exceptions that it declares, or nothing
     * @param symbol the function
     */
    record Row(String type, String words, String name, String descriptor, String thrown, String symbol) {

        /** Returns the name of the method that makes sure that the native method can be linked, and calls it. */
        String caller() {
            return "jni" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        }
    }

    static NativeTable read(Path file) throws IOException {
        return new NativeTable(Files.readAllLines(file).stream().filter(row -> !row.startsWith("#"))
                .map(row -> row.split("\t", -1))
                .map(cells -> new Row(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5])).toList());
    }

    /** Returns whether a declared method is one of these native methods. */
    boolean has(JavaType type, Method method) {
        return rows.stream().anyMatch(row -> row.type.equals(type.sourceName()) && row.name.equals(method.name())
                && row.descriptor.equals(method.descriptor()));
    }

    /** Returns the members of a class for its native methods. */
    List<String> members(JavaType type, JavaTypes types) {
        return rows.stream().filter(row -> row.type.equals(type.sourceName())).map(row -> members(row, types)).toList();
    }

    /**
     * Returns the body of a getter of a counter. The getter passes the address of the counters to the native method with its name, or asks
     * the state.
     */
    String counter(JavaType type, Method method) {
        return find(type.sourceName(), method.name()).map(row -> "return " + row.caller() + "(state_.context());\n")
                .orElse("return state_.read(\"" + method.name() + "\");\n");
    }

    /** Returns the native method of a class with a name, if there is one. */
    Optional<Row> find(String type, String name) {
        return rows.stream().filter(row -> row.type.equals(type) && row.name.equals(name)).findFirst();
    }

    private static String members(Row row, JavaTypes types) {
        MethodSignature signature = MethodSignature.parseFrom(row.descriptor);
        List<Signature> arguments = signature.arguments();
        String parameters = IntStream.range(0, arguments.size()).mapToObj(i -> types.type(arguments.get(i)) + " p" + i)
                .collect(Collectors.joining(", "));
        String result = types.type(signature.result());
        String thrown = row.thrown.isEmpty() ? "" : " throws " + types.name(row.thrown);
        String call = row.name + IntStream.range(0, arguments.size()).mapToObj(i -> "p" + i)
                .collect(Collectors.joining(", ", "(", ");\n"));
        String docs = row.words.contains("private")
                ? ""
                : "/**\n * Calls {@code " + row.symbol + "}.\n *\n"
                        + IntStream.range(0, arguments.size()).mapToObj(i -> " * @param p" + i + " as published\n")
                                .collect(Collectors.joining())
                        + " * @return as published\n */\n";
        return docs + row.words + " native " + result + " " + row.name + "(" + parameters + ")" + thrown + ";\n\n"
                + (row.words.contains("static") ? "static " : "") + result + " " + row.caller() + "("
                + parameters + ")" + thrown + " {\ndev.outcrop.rocksdbjni.NativeMethods.require(\"" + row.symbol
                + "\");\n"
                + (result.equals("void") ? "" : "return ") + call + "}\n";
    }
}
