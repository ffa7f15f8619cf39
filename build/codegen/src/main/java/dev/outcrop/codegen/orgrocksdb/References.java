package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the classes and members of an {@code org.rocksdb} that programs refer to, and whether they work.
 *
 * @param resolution finds the members of its classes
 */
public record References(Resolution resolution) {

    /** The outcome of a reference. */
    public enum Outcome {
        /** It works, or it is abstract. */
        WORKS,
        /** It throws {@code UnsupportedOperationException}. */
        REFUSED,
        /** There is no such class or member, or it is not static, not final or visible as the program needs it. */
        MISSING
    }

    /**
     * Reads the class files of an {@code org.rocksdb}.
     *
     * @param classes a jar or directory
     * @return an object that finds references to these classes
     * @throws IOException if a file cannot be read
     */
    public static References to(Path classes) throws IOException {
        ClassFiles files = ClassFiles.of(classes);
        return new References(new Resolution(files, Refusals.of(files)));
    }

    /**
     * Looks up the classes and members that a program refers to.
     *
     * @param program the program's {@linkplain #program classes}
     * @return the outcome for each class, {@code Class}, for each member, {@code Class.member} and its descriptor, and for each member that
     *         a class of the program overrides or should implement
     */
    public SortedMap<String, Outcome> of(List<ClassModel> program) {
        SortedMap<String, Outcome> outcomes = new TreeMap<>();
        BiConsumer<String, Outcome> note = (what, outcome) -> outcomes.merge(what, outcome,
                (one, other) -> one.compareTo(other) > 0 ? one : other);
        for (ClassModel model : program) {
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MemberRefEntry member && isOurs(member.owner())) {
                    note.accept(label(member), resolution.of(member));
                } else if (entry instanceof ClassEntry type && isOurs(type)) {
                    note.accept(label(type.asInternalName()),
                            resolution.has(type.asInternalName()) ? Outcome.WORKS : Outcome.MISSING);
                }
            }
            for (MethodModel method : model.methods()) {
                method.code().stream().flatMap(code -> code.elementStream()).forEach(element -> {
                    if (element instanceof InvokeInstruction call && isOurs(call.method().owner())) {
                        note.accept(label(call.method()), resolution.of(call, model));
                    }
                });
            }
            resolution.inherited(model).forEach(note);
        }
        return outcomes;
    }

    /**
     * Finds the members that a program may reach by reflection. These are the members with names that occur as texts in a class of the
     * program that uses reflection and refers to a class here.
     *
     * @param program the program's {@linkplain #program classes}
     * @return each as {@code Class.member}
     */
    public SortedSet<String> reflected(List<ClassModel> program) {
        SortedSet<String> found = new TreeSet<>();
        for (ClassModel model : program) {
            List<PoolEntry> pool = new ArrayList<>();
            model.constantPool().forEach(pool::add);
            if (pool.stream().anyMatch(entry -> entry instanceof MethodRefEntry method && isReflection(method))) {
                Set<String> texts = pool.stream().filter(StringEntry.class::isInstance)
                        .map(text -> ((StringEntry) text).stringValue()).collect(Collectors.toSet());
                Stream<String> literals = pool.stream().filter(ClassEntry.class::isInstance)
                        .map(type -> ((ClassEntry) type).asInternalName());
                Stream.concat(literals, texts.stream().map(text -> text.replace('.', '/')))
                        .filter(resolution::has).forEach(type -> resolution.names(type).filter(texts::contains)
                                .forEach(name -> found.add(label(type) + "." + name)));
            }
        }
        return found;
    }

    private static boolean isReflection(MethodRefEntry method) {
        return switch (method.owner().asInternalName()) {
            case "java/lang/Class" ->
                method.name().stringValue().matches("forName|get(Declared)?(Method|Field|Constructor)s?");
            case "java/lang/invoke/MethodHandles$Lookup" -> method.name().stringValue().startsWith("find");
            default -> false;
        };
    }

    private static boolean isOurs(ClassEntry type) {
        return type.asInternalName().startsWith("org/rocksdb/");
    }

    /**
     * Reads the classes of a program that refer to {@code org.rocksdb}, or contain its name in a text.
     *
     * @param jar the program's jar
     * @return the classes
     * @throws IOException if a file cannot be read
     */
    public static List<ClassModel> program(Path jar) throws IOException {
        List<ClassModel> models = new ArrayList<>();
        try (FileSystem files = FileSystems.newFileSystem(jar);
                Stream<Path> all = Files.walk(files.getPath("/"))) {
            for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                if (text.contains("org/rocksdb") || text.contains("org.rocksdb")) {
                    models.add(ClassFile.of().parse(bytes));
                }
            }
        }
        return models;
    }

    private static String label(MemberRefEntry member) {
        return label(member.owner().asInternalName()) + "." + member.name().stringValue()
                + member.type().stringValue();
    }

    private static String label(String type) {
        return type.replaceFirst("^org/rocksdb/", "").replace('/', '.').replace('$', '.');
    }

    /**
     * Finds members as the JVM does (JVMS 5.4.3): in the class, in its superclasses, then in the interfaces of all of these classes.
     *
     * @param classes  the classes
     * @param refusals their methods that can throw {@code UnsupportedOperationException}
     */
    record Resolution(ClassFiles classes, Refusals refusals) {

        boolean has(String type) {
            return classes.models().containsKey(type);
        }

        /** Returns the names of the members that a class declares. */
        Stream<String> names(String type) {
            ClassModel model = Objects.requireNonNull(classes.models().get(type));
            return Stream.concat(model.methods().stream().map(method -> method.methodName().stringValue()),
                    model.fields().stream().map(field -> field.fieldName().stringValue()));
        }

        Outcome of(MemberRefEntry member) {
            List<String> above = above(member.owner().asInternalName());
            return above.stream().flatMap(owner -> declared(owner, member).stream()).findFirst()
                    .orElse(Outcome.MISSING);
        }

        /** Returns whether a class can make a call: the method is visible to the class, and the call fits its declaration. */
        Outcome of(InvokeInstruction call, ClassModel caller) {
            Optional<MethodModel> method = above(call.owner().asInternalName()).stream()
                    .map(classes.models()::get).filter(Objects::nonNull).flatMap(model -> model.methods().stream())
                    .filter(each -> is(call.method(), each.methodName(), each.methodType())).findFirst();
            boolean fits = method.map(each -> each.flags().has(AccessFlag.STATIC) == (call
                    .opcode() == Opcode.INVOKESTATIC)
                    && (isVisible(each) || caller.thisClass().asInternalName().startsWith("org/rocksdb/"))
                    && isInterface(call.owner()) == call.isInterface()).orElse(true);
            return fits ? Outcome.WORKS : Outcome.MISSING;
        }

        private boolean isInterface(ClassEntry type) {
            ClassModel model = classes.models().get(type.asInternalName());
            return model != null && model.flags().has(AccessFlag.INTERFACE);
        }

        private static boolean isVisible(MethodModel method) {
            return method.flags().has(AccessFlag.PUBLIC) || method.flags().has(AccessFlag.PROTECTED);
        }

        /**
         * Returns the final methods that a class of a program overrides, the final classes that it extends, and the abstract methods that
         * it lacks.
         */
        SortedMap<String, Outcome> inherited(ClassModel program) {
            SortedMap<String, Outcome> wrong = new TreeMap<>();
            Map<String, MethodModel> seen = program.methods().stream()
                    .collect(Collectors.toMap(Resolution::signature, method -> method));
            boolean overAnother = false;
            for (String owner : above(program)) {
                ClassModel model = classes.models().get(owner);
                if (model == null) {
                    overAnother |= !owner.startsWith("java/");
                    continue;
                }
                if (model.flags().has(AccessFlag.FINAL)) {
                    wrong.put(label(owner), Outcome.MISSING);
                }
                for (MethodModel method : model.methods()) {
                    MethodModel below = seen.putIfAbsent(signature(method), method);
                    boolean overridden = below != null && program.methods().contains(below);
                    boolean lacks = below == null && method.flags().has(AccessFlag.ABSTRACT)
                            && !program.flags().has(AccessFlag.ABSTRACT) && !overAnother;
                    boolean isFinal = method.flags().has(AccessFlag.FINAL)
                            && !method.flags().has(AccessFlag.STATIC);
                    if (lacks || (overridden && isFinal)) {
                        wrong.put(label(owner) + "." + signature(method), Outcome.MISSING);
                    }
                }
            }
            return wrong;
        }

        private static String signature(MethodModel method) {
            return method.methodName().stringValue() + method.methodType().stringValue();
        }

        private List<String> above(ClassModel program) {
            return Stream.concat(program.superclass().stream(), program.interfaces().stream())
                    .map(ClassEntry::asInternalName).flatMap(each -> above(each).stream()).toList();
        }

        /**
         * Returns the class, its superclasses from the nearest one on, and their interfaces. Each interface comes before the interfaces
         * that it extends.
         */
        private List<String> above(String owner) {
            List<String> found = new ArrayList<>();
            for (Optional<String> each = Optional.of(owner); each.isPresent(); each = superclass(each.get())) {
                found.add(each.get());
            }
            for (int i = 0; i < found.size(); i++) {
                ClassModel model = classes.models().get(found.get(i));
                if (model != null) {
                    model.interfaces().forEach(each -> found.add(each.asInternalName()));
                }
            }
            return found;
        }

        private Optional<String> superclass(String name) {
            return Optional.ofNullable(classes.models().get(name)).flatMap(ClassModel::superclass)
                    .map(ClassEntry::asInternalName);
        }

        private Optional<Outcome> declared(String owner, MemberRefEntry member) {
            ClassModel model = classes.models().get(owner);
            if (model == null) {
                return isOfJdk(owner, member) ? Optional.of(Outcome.WORKS) : Optional.empty();
            }
            if (member instanceof FieldRefEntry) {
                return model.fields().stream()
                        .filter(field -> is(member, field.fieldName(), field.fieldType())).findFirst()
                        .map(_ -> Outcome.WORKS);
            }
            return model.methods().stream()
                    .filter(method -> is(member, method.methodName(), method.methodType())).findFirst()
                    .map(method -> refusals.has(model, method) ? Outcome.REFUSED : Outcome.WORKS);
        }

        private static boolean is(MemberRefEntry member, Utf8Entry name, Utf8Entry descriptor) {
            return name.equalsString(member.name().stringValue())
                    && descriptor.equalsString(member.type().stringValue());
        }

        /** Returns whether a class of the JDK has or inherits a member. */
        private static boolean isOfJdk(String owner, MemberRefEntry member) {
            if (!owner.startsWith("java/")) {
                return false;
            }
            try {
                return Stream.of(Class.forName(owner.replace('/', '.')).getMethods()).anyMatch(method -> member.name()
                        .equalsString(method.getName())
                        && member.type().equalsString(MethodType.methodType(method.getReturnType(),
                                method.getParameterTypes()).descriptorString()));
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException("A class of org.rocksdb extends what the JDK does not have", e);
            }
        }
    }
}
