package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.invoke.MethodType;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** References of a program to {@code org.rocksdb}, and whether they work. */
public final class References {

    /** The outcome of a reference. */
    public enum Outcome {
        /** It works, or it is abstract. */
        WORKS,
        /** It throws {@code UnsupportedOperationException}. */
        REFUSED,
        /** There is no such member. */
        MISSING
    }

    private References() {
    }

    /**
     * Reads the class files of a program.
     *
     * @param classes the jar or directory with an {@code org.rocksdb}
     * @param program the program's jar
     * @return the outcome for each member, which is {@code Class.member} and its descriptor
     * @throws IOException if a file cannot be read
     */
    public static SortedMap<String, Outcome> of(Path classes, Path program) throws IOException {
        ClassFiles files = ClassFiles.of(classes);
        Resolution resolution = new Resolution(files, Refusals.of(files));
        SortedMap<String, Outcome> outcomes = new TreeMap<>();
        for (ClassModel model : models(program)) {
            for (PoolEntry entry : model.constantPool()) {
                if (entry instanceof MemberRefEntry member
                        && member.owner().asInternalName().startsWith("org/rocksdb/")) {
                    outcomes.put(label(member), resolution.of(member));
                }
            }
        }
        return outcomes;
    }

    private static List<ClassModel> models(Path jar) throws IOException {
        List<ClassModel> models = new ArrayList<>();
        try (FileSystem files = FileSystems.newFileSystem(jar);
                Stream<Path> all = Files.walk(files.getPath("/"))) {
            for (Path file : all.filter(each -> each.toString().endsWith(".class")).toList()) {
                models.add(ClassFile.of().parse(Files.readAllBytes(file)));
            }
        }
        return models;
    }

    private static String label(MemberRefEntry member) {
        return member.owner().asInternalName().replaceFirst("^org/rocksdb/", "").replace('/', '.').replace('$', '.')
                + "." + member.name().stringValue() + member.type().stringValue();
    }

    /** Finds members as the JVM does (JVMS 5.4.3): in the class, in those that it extends, then in the interfaces of all of these. */
    private record Resolution(ClassFiles classes, Refusals refusals) {

        Outcome of(MemberRefEntry member) {
            List<String> above = above(member.owner().asInternalName());
            return above.stream().flatMap(owner -> declared(owner, member).stream()).findFirst()
                    .orElse(Outcome.MISSING);
        }

        /** Returns the class, its superclasses from below, and their interfaces, each before those that it extends. */
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

        /** Whether a class of the JDK has or inherits a member. */
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
