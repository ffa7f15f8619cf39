package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.lang.classfile.Signature.TypeParam;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Javadoc that a rule can write: what a name says, and who does it. */
final class Docs {

    private Docs() {
    }

    static String of(JavaType type, Method method, JavaTypes types, String sentence) {
        StringBuilder text = new StringBuilder("/**\n * ").append(sentence).append("\n *\n");
        typeParameters(text, method.generic().typeParameters());
        for (int i = 0; i < method.type().parameterCount(); i++) {
            text.append(" * @param %s %s\n".formatted(ClassSource.parameter(method, i),
                    words(ClassSource.parameter(method, i))));
        }
        if (!method.isConstructor() && !method.returned().equals("V")) {
            text.append(" * @return ").append(method.returned().equals("L" + type.name() + ";") && !method.is("static")
                    ? "this object"
                    : words(method.name())).append("\n");
        }
        for (String thrown : method.thrown()) {
            text.append(" * @throws %s if it fails\n".formatted(types.name(thrown)));
        }
        if (method.is("deprecated")) {
            text.append(" * @deprecated as published\n");
        }
        return text.append(" */\n").toString();
    }

    static String of(JavaType type, @Nullable String description) {
        StringBuilder text = new StringBuilder("/**\n * ")
                .append(description == null ? capital(words(type.simpleName())) + "." : description).append("\n *\n");
        typeParameters(text, type.generic().typeParameters());
        if (type.is("deprecated")) {
            text.append(" * @deprecated as published\n");
        }
        return text.append(" */\n").toString();
    }

    private static void typeParameters(StringBuilder text, List<TypeParam> parameters) {
        for (TypeParam parameter : parameters) {
            text.append(" * @param <%s> type\n".formatted(parameter.identifier()));
        }
    }

    /** A name as words: {@code maxOpenFiles} is "max open files". */
    static String words(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").replace('_', ' ').strip().toLowerCase(Locale.ROOT);
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
