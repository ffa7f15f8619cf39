package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Mapping.NativeObject;
import dev.outcrop.codegen.orgrocksdb.Table.Field;
import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.lang.classfile.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the source of a class with the published shape. Methods without a rule or a helper throw. */
final class ClassSource {

    private static final Set<String> RESERVED = Set.of("default", "package", "class", "native", "new", "final",
            "switch");

    /** Classes of other packages that methods may name. */
    private static final List<String> IMPORTED = List.of("dev.outcrop.rocksdb.engine.PointWrites",
            "dev.outcrop.rocksdb.engine.batch.BatchFormat", "dev.outcrop.rocksdb.engine.capi.CApi",
            "dev.outcrop.rocksdbjni.Unsupported");

    private final Table table;
    private final Mapping mapping;
    private final OptionRule options;
    private final NativeRule nativeRule;
    private final NativeTable natives;
    private final List<String> how;
    private final JavaType type;
    private final JavaTypes types;

    ClassSource(Table table, Mapping mapping, OptionRule options, NativeRule nativeRule, NativeTable natives,
            List<String> how, JavaType type) {
        this.table = table;
        this.mapping = mapping;
        this.options = options;
        this.nativeRule = nativeRule;
        this.natives = natives;
        this.how = how;
        this.type = type;
        this.types = new JavaTypes(type.packageName());
    }

    /** Returns the name of a parameter: as published, otherwise by its index. */
    static String parameter(Method method, int index) {
        String name = method.parameters().isEmpty() ? "p" + index : method.parameters().get(index).replaceAll("_$", "");
        return RESERVED.contains(name) ? name + "_" : name;
    }

    /** Returns the whole file. */
    String file() {
        String text = declaration();
        return """
                // Generated from org-rocksdb.tsv; do not edit.
                package %s;
                %s
                """.formatted(type.packageName(), imports(text)) + text;
    }

    private static String imports(String text) {
        return IMPORTED.stream().filter(name -> text.contains(name.substring(name.lastIndexOf('.') + 1) + "."))
                .map(name -> "\nimport " + name + ";\n").collect(Collectors.joining());
    }

    private String declaration() {
        boolean isInterface = type.is("interface");
        StringBuilder text = new StringBuilder(Docs.of(type, mapping.docs().get(type.sourceName())));
        if (type.is("deprecated")) {
            text.append("@Deprecated\n");
        }
        if (!type.isNested()) {
            text.append("@SuppressWarnings({\"deprecation\", \"removal\", \"rawtypes\", \"unchecked\", \"serial\", "
                    + "\"this-escape\", \"overloads\", \"overrides\", \"try\", \"static\", \"cast\"})\n");
        }
        for (String word : List.of("public", "protected", "private", "static", "abstract", "final")) {
            boolean implied = (type.is("enum") && word.matches("static|final|abstract"))
                    || (isInterface && word.matches("static|abstract"));
            text.append(type.is(word) && !implied ? word + " " : "");
        }
        text.append(isInterface ? "interface " : type.is("enum") ? "enum " : "class ").append(type.simpleName())
                .append(types.parameters(type.generic().typeParameters()));
        if (!isInterface && !type.is("enum") && !type.superclass().equals("java/lang/Object")) {
            text.append(" extends ").append(types.type(type.generic().superclassSignature()));
        }
        if (!type.interfaces().isEmpty()) {
            text.append(isInterface ? " extends " : " implements ")
                    .append(type.generic().superinterfaceSignatures().stream()
                            .map(types::type).collect(Collectors.joining(", ")));
        }
        text.append(" {\n");
        if (type.is("enum")) {
            text.append(EnumRule.members(type, mapping));
        }
        members().forEach(member -> text.append("\n").append(member));
        for (JavaType nested : table.nestedIn(type)) {
            text.append("\n")
                    .append(new ClassSource(table, mapping, options, nativeRule, natives, how, nested).declaration());
        }
        return text.append("}\n").toString();
    }

    private List<String> members() {
        List<String> members = new ArrayList<>();
        type.fields().stream().filter(field -> !field.words().contains("enum")).map(this::field).forEach(members::add);
        if (mapping.states().containsKey(type.sourceName())) {
            members.add("final %1$s state_ = new %1$s(this);\n".formatted(mapping.states().get(type.sourceName())));
        }
        if (mapping.carriers().contains(type.sourceName())) {
            members.add(new CarrierRule(table, mapping, type).members());
            note(type.constructors().getFirst(), "carrier");
        } else if (!type.is("enum")) {
            if (!type.defaults().isEmpty()) {
                members.add(new BeanRule(mapping, type).members());
            }
            type.constructors().stream()
                    .filter(c -> !c.is("private") || type.constructors().stream().allMatch(each -> each.is("private")))
                    .map(this::constructor).forEach(members::add);
        }
        for (Method method : type.methods()) {
            boolean ofEnum = type.is("enum") && (method.name().equals("values") || method.name().equals("valueOf"));
            if (ofEnum) {
                note(method, "enum");
            } else if (natives.has(type, method)) {
                note(method, "native");
            } else if (!method.isConstructor()) {
                members.add(method(method));
            }
        }
        mapping.members().getOrDefault(type.sourceName(), List.of()).forEach(member -> members.add(member + "\n"));
        members.addAll(natives.members(type, types));
        NativeObject object = mapping.objects().get(type.sourceName());
        if (object != null && !object.prefix().isEmpty() && !options.replay(type).isEmpty()) {
            members.add("static void replay(dev.outcrop.memory.Scratch scratch, long from, long to) {\n"
                    + options.replay(type)
                    + "}\n");
        }
        return members;
    }

    private String field(Field field) {
        String value = mapping.values().getOrDefault(type.sourceName() + "." + field.name(), "");
        String fieldType = types.type(field.type());
        if (!field.constant().isEmpty()) {
            value = switch (fieldType) {
                case "long" -> field.constant() + "L";
                case "char" -> "(char) " + field.constant();
                case "boolean" -> field.constant().equals("1") ? "true" : "false";
                case "String" -> "\"" + field.constant() + "\"";
                default -> field.constant();
            };
        }
        boolean isFinal = field.words().contains("final");
        if (value.isEmpty() && isFinal && !mapping.carriers().contains(type.sourceName())) {
            throw new IllegalArgumentException("The final field " + type.sourceName() + "." + field.name()
                    + " has no value: write the class by hand, make it a carrier or add a row 'value' to the mapping");
        }
        return (field.words().contains("private") ? "" : "/** {@code " + field.name() + "}. */\n")
                + modifiers(field.words()) + fieldType + " " + field.name() + (value.isEmpty() ? "" : " = " + value)
                + ";\n";
    }

    /** Private constructors become package-private, because other classes of the package call them. */
    private String constructor(Method method) {
        String helper = mapping.helper(type, method);
        NativeObject object = mapping.objects().get(type.sourceName());
        String sentence = mapping.docs().getOrDefault(type.sourceName() + ".<init>", "Makes an object.");
        String body;
        String extra = "";
        if (helper != null) {
            note(method, "hand: " + helper);
            String state = takeState(method);
            body = helper.equals("super")
                    ? "super(%s);\n".formatted(arguments(method)) + state
                    : takesCopy(state)
                            ? fromCopy(call(method, helper), state)
                            : "super(%s);\n".formatted(call(method, helper)) + state;
        } else if (object != null && method.descriptor().equals("()V") && !object.create().isEmpty()) {
            note(method, "C: " + object.create());
            body = "super(CApi." + object.create() + "());\n";
        } else if (object != null && method.descriptor().equals("(L" + type.name() + ";)V")) {
            note(method, object.copy().isEmpty() ? "C: getters and setters" : "C: " + object.copy());
            String state = takeState(method);
            boolean takesCopy = takesCopy(state);
            body = takesCopy
                    ? fromCopy(parameter(method, 0) + ".state_.copy()", state)
                    : "super(copy(%s));\n".formatted(parameter(method, 0)) + state;
            extra = takesCopy ? "" : copy(object);
        } else if (type.is("abstract") && method.descriptor().equals("(J)V")) {
            note(method, "handle");
            body = "super(" + arguments(method) + ");\n";
        } else if (new BuilderRule(table, mapping, type).isBuilt()) {
            note(method, "builder");
            body = "super(" + arguments(method) + ");\n";
        } else if (method.descriptor().equals("()V") && isPlain(table.types().get(type.superclass()))) {
            note(method, "plain");
            body = "";
        } else {
            note(method, "unsupported");
            sentence = unsupportedSentence();
            body = "Unsupported.refuse(\"" + label(method) + "\");\n" + superCall();
        }
        return (method.is("public") || method.is("protected") ? Docs.of(type, method, types, sentence) : "")
                + (method.is("deprecated") ? "@Deprecated\n" : "") + modifiers(method.words()).replace("private ", "")
                + generic(method)
                + type.simpleName()
                + "(" + parameters(method) + ")" + thrown(method) + " {\n" + body + "}\n" + extra;
    }

    /** Returns whether a copying constructor takes over the state at the time of the copy. */
    private boolean takesCopy(String state) {
        return !state.isEmpty() && mapping.locked().get(type.sourceName()) == Mapping.Locked.HELD;
    }

    private static String fromCopy(String copy, String state) {
        return "OptionsState.Copy copy = " + copy + ";\nsuper(copy.handle());\n" + state
                + "state_.takeCopied(copy);\n";
    }

    /** Takes the state of the objects from which the native object is made. */
    private String takeState(Method method) {
        StringBuilder taken = new StringBuilder();
        for (int i = 0; i < method.type().parameterCount() && mapping.states().containsKey(type.sourceName()); i++) {
            if (mapping.states().containsKey(method.type().parameterType(i).displayName())) {
                taken.append("state_.takeFrom(%s.state_);\n".formatted(parameter(method, i)));
            }
        }
        return taken.toString();
    }

    /** Returns whether a superclass has a constructor without parameters. */
    private static boolean isPlain(@Nullable JavaType above) {
        return above == null || (above.superclass().equals("java/lang/Object")
                && above.constructors().stream().anyMatch(c -> c.descriptor().equals("()V") && !c.is("private")));
    }

    private String copy(NativeObject object) {
        String make = object.copy().isEmpty()
                ? "long copy = CApi." + object.create()
                        + "();\nreplay(scratch, other.nativeHandle_, copy);\nreturn copy;\n"
                : "return CApi." + object.copy() + "(other.nativeHandle_);\n";
        return "\nprivate static long copy(%s other) {\ntry (dev.outcrop.memory.Scratch %s = other.use()) {\n%s}\n}\n"
                .formatted(type.simpleName(), object.copy().isEmpty() ? "scratch" : "_", make);
    }

    private String superCall() {
        JavaType above = table.types().get(type.superclass());
        if (above == null) {
            return "";
        }
        boolean near = above.packageName().equals(type.packageName());
        Method chosen = above.constructors().stream()
                .filter(c -> near ? !c.is("private") : c.is("public") || c.is("protected"))
                .min(Comparator.comparingInt(c -> c.type().parameterCount())).orElseThrow(
                        () -> new IllegalArgumentException(above.name() + " has no constructor for " + type.name()));
        return chosen.generic().arguments().stream()
                .map(parameter -> parameter instanceof Signature.TypeVarSig
                        ? "null"
                        : JavaTypes.zero(types.type(parameter)))
                .collect(Collectors.joining(", ", "super(", ");\n"));
    }

    private String method(Method method) {
        boolean isInterface = type.is("interface");
        String head = (method.is("deprecated") ? "@Deprecated\n" : "")
                + (isInterface
                        ? method.is("static") ? "static " : method.is("abstract") ? "" : "default "
                        : modifiers(method.words()))
                + generic(method) + types.type(method.generic().result()) + " " + method.name() + "("
                + parameters(method) + ")"
                + thrown(method);
        String body = method.is("abstract") ? "" : locked(method, body(method));
        String sentence = body.contains("Unsupported.method(")
                ? unsupportedSentence()
                : mapping.docs().getOrDefault(type.sourceName() + "." + method.name(), Sentences.of(type, method));
        return Docs.of(type, method, types, sentence) + head + (method.is("abstract") ? ";\n" : " {\n" + body + "}\n");
    }

    private String locked(Method method, String body) {
        Mapping.Locked which = mapping.locked().get(type.sourceName());
        return which == null || method.is("static") || method.name().equals("disposeInternal")
                || body.startsWith("throw ") || (which == Mapping.Locked.HELD && isOfNumber(method))
                        ? body
                        : "synchronized (state_) {\n" + body + "}\n";
    }

    /** Returns whether a method only sets or gets a number of the native object, or a constant that is a number there. */
    private boolean isOfNumber(Method method) {
        return mapping.helper(type, method) == null
                && options.function(type, method).filter(function -> function.name().matches(".*_[sg]et_.*"))
                        .isPresent()
                && !method.descriptor().contains("String") && !method.descriptor().contains("[");
    }

    private String body(Method method) {
        String member = type.sourceName() + "." + method.name();
        if (!mapping.unsupported().contains(member)) {
            String helper = mapping.helper(type, method);
            if (helper != null) {
                note(method, "hand: " + helper);
                return delegate(method, helper);
            }
            String ruled = ruled(method);
            if (!ruled.isEmpty()) {
                return ruled;
            }
        }
        note(method, "unsupported");
        return "throw Unsupported.method(\"" + label(method) + "\");\n";
    }

    private String ruled(Method method) {
        NativeObject object = mapping.objects().get(type.sourceName());
        if (object != null && method.name().equals("disposeInternal") && method.descriptor().equals("(J)V")) {
            note(method, "C: " + object.destroy());
            return "CApi." + object.destroy() + "(" + parameter(method, 0) + ");\n";
        }
        if (type.is("enum")) {
            return noted(method, "enum", EnumRule.body(type, method));
        }
        if (mapping.carriers().contains(type.sourceName())) {
            return noted(method, "carrier", new CarrierRule(table, mapping, type).body(method));
        }
        if (!type.defaults().isEmpty()) {
            return noted(method, "field", new BeanRule(mapping, type).body(method));
        }
        BuilderRule builder = new BuilderRule(table, mapping, type);
        if (builder.isBuilder() || builder.isBuilt()) {
            return noted(method, "builder", builder.body(method));
        }
        if (mapping.counters().contains(type.sourceName()) && method.descriptor().equals("()J")) {
            return noted(method, "counter", natives.counter(type, method));
        }
        return options.function(type, method)
                .map(function -> noted(method, "C: " + function.name(), options.body(type, method, function)))
                .orElseGet(() -> noted(method, "native", nativeRule.body(type, method)));
    }

    private String delegate(Method method, String helper) {
        if (helper.equals("noop")) {
            return method.returned().equals("V") ? "" : "return this;\n";
        }
        String call = call(method, helper);
        boolean self = !method.is("static") && method.returned().equals("L" + type.name() + ";")
                && !(method.generic().result() instanceof Signature.TypeVarSig);
        if (self) {
            return call + ";\nreturn this;\n";
        }
        return method.returned().equals("V") ? call + ";\n" : "return " + call + ";\n";
    }

    /**
     * Returns the call of a helper. A helper is a static method, a method of the state if {@code state.} precedes its name, or a whole
     * expression.
     */
    private String call(Method method, String helper) {
        String target = helper.replaceFirst("^state\\.", "state_.");
        if (target.startsWith("=") || target.endsWith(")")) {
            return target.replaceFirst("^=", "");
        }
        String arguments = arguments(method);
        boolean takesThis = !method.is("static") && !method.isConstructor() && !target.startsWith("state_.");
        return target + "(" + (takesThis ? arguments.isEmpty() ? "this" : "this, " : "") + arguments + ")";
    }

    private String noted(Method method, String by, String body) {
        if (!body.isEmpty()) {
            note(method, by);
        }
        return body;
    }

    private void note(Method method, String by) {
        how.add(String.join("\t", type.name(), method.name(), method.descriptor(), by));
    }

    private String arguments(Method method) {
        return java.util.stream.IntStream.range(0, method.type().parameterCount()).mapToObj(i -> parameter(method, i))
                .collect(Collectors.joining(", "));
    }

    private String parameters(Method method) {
        List<String> declared = new ArrayList<>();
        int count = method.type().parameterCount();
        for (int i = 0; i < count; i++) {
            String of = types.type(method.generic().arguments().get(i));
            if (i == count - 1 && method.is("varargs")) {
                of = of.replaceAll("\\[\\]$", "...");
            }
            declared.add(of + " " + parameter(method, i));
        }
        return String.join(", ", declared);
    }

    private String generic(Method method) {
        String parameters = types.parameters(method.generic().typeParameters());
        return parameters.isEmpty() ? "" : parameters + " ";
    }

    private String thrown(Method method) {
        return method.thrown().isEmpty()
                ? ""
                : method.thrown().stream().map(types::name).collect(Collectors.joining(", ", " throws ", ""));
    }

    private static String modifiers(Set<String> words) {
        return List.of("public", "protected", "private", "static", "abstract", "final").stream().filter(words::contains)
                .map(word -> word + " ").collect(Collectors.joining());
    }

    private String label(Method method) {
        return type.sourceName() + (method.isConstructor() ? "" : "." + method.name())
                + method.type().parameterList().stream().map(java.lang.constant.ClassDesc::displayName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String unsupportedSentence() {
        return "Not supported: throws {@link UnsupportedOperationException}.";
    }
}
