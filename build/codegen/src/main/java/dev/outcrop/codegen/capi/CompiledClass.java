package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls in a class file. Names are written as in class files, with slashes. Two classes with the same name are equal.
 *
 * @param isVisible  whether it is public or protected
 * @param outer      the class that it is a member of, or an empty string
 * @param isInterface whether it is an interface
 * @param isSealed   whether only classes that it names may extend or implement it
 * @param supertypes its direct supertypes, the superclass first
 * @param methods    its methods, including constructors and initializer, by name and descriptor
 */
record CompiledClass(String name, boolean isVisible, String outer, boolean isInterface, boolean isSealed,
        List<String> supertypes,
        Map<String, Method> methods) {

    /** A method; two with the same class, name and descriptor are equal. */
    record Method(String owner, String name, String descriptor, boolean isVisible, boolean isStatic,
            boolean isAbstract, List<Use> uses) {

        String key() {
            return name + descriptor;
        }

        /** Returns whether it can override another method and be overridden. */
        boolean isVirtual() {
            return !isStatic && !name.startsWith("<");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Method method && owner.equals(method.owner) && key().equals(method.key());
        }

        @Override
        public int hashCode() {
            return 31 * owner.hashCode() + key().hashCode();
        }
    }

    /** A use of a class or one of its members by a method. */
    sealed interface Use {

        /** The class. */
        String owner();
    }

    /** Calls exactly this method or the method that its class inherits, or makes a method handle of it. */
    record Direct(String owner, String key) implements Use {
    }

    /** Calls this method or a method that overrides it. */
    record Virtual(String owner, String key) implements Use {
    }

    /** Creates an object of the class, or a lambda of the interface. */
    record Creation(String owner) implements Use {
    }

    /** Causes the class to be initialized, by a static method or field. */
    record Initialization(String owner) implements Use {
    }

    /** Names a method, in a class that uses a {@code MethodHandles.Lookup}. The use may mean any method of this name. */
    record ByName(String owner, String name) implements Use {
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CompiledClass type && name.equals(type.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /**
     * Reads all classes of a directory.
     *
     * @param except a class that is left out, with its nested classes
     * @return the classes by name, in the order of names
     */
    static Map<String, CompiledClass> readAll(Path directory, String except) throws IOException {
        Map<String, CompiledClass> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(file -> {
                String name = directory.relativize(file).toString().replace('\\', '/');
                return name.endsWith(".class") && !name.equals("module-info.class")
                        && !name.equals(except + ".class") && !name.startsWith(except + "$");
            }).map(CompiledClass::read).forEach(type -> classes.put(type.name(), type));
        }
        return classes;
    }

    private static CompiledClass read(Path file) {
        try {
            return of(ClassFile.of().parse(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CompiledClass of(ClassModel model) {
        String name = model.thisClass().asInternalName();
        boolean looksUp = model.methods().stream().flatMap(method -> method.code().stream())
                .anyMatch(CompiledClass::looksUpMethods);
        Map<String, Method> methods = new LinkedHashMap<>();
        for (MethodModel method : model.methods()) {
            Method read = new Method(name, method.methodName().stringValue(), method.methodType().stringValue(),
                    method.flags().has(AccessFlag.PUBLIC) || method.flags().has(AccessFlag.PROTECTED),
                    method.flags().has(AccessFlag.STATIC), method.flags().has(AccessFlag.ABSTRACT),
                    method.code().map(code -> uses(name, code, looksUp)).orElse(List.of()));
            methods.put(read.key(), read);
        }
        List<String> supertypes = Stream.concat(model.superclass().stream(), model.interfaces().stream())
                .map(ClassEntry::asInternalName).toList();
        // The flags of a nested class are in an attribute; a local class is not a member of any class there.
        Optional<InnerClassInfo> nested = model.findAttribute(Attributes.innerClasses()).flatMap(attribute -> attribute
                .classes().stream().filter(info -> info.innerClass().asInternalName().equals(name)).findFirst());
        String outer = nested.flatMap(InnerClassInfo::outerClass).map(ClassEntry::asInternalName).orElse("");
        boolean isVisible = nested.isEmpty()
                ? model.flags().has(AccessFlag.PUBLIC)
                : !outer.isEmpty()
                        && (nested.get().has(AccessFlag.PUBLIC) || nested.get().has(AccessFlag.PROTECTED));
        return new CompiledClass(name, isVisible, outer, model.flags().has(AccessFlag.INTERFACE),
                model.findAttribute(Attributes.permittedSubclasses()).isPresent(), supertypes, methods);
    }

    private static boolean looksUpMethods(CodeModel code) {
        return code.elementStream().anyMatch(element -> element instanceof InvokeInstruction call
                && call.owner().asInternalName().startsWith("java/lang/invoke/MethodHandles"));
    }

    private static List<Use> uses(String owner, CodeModel code, boolean looksUp) {
        Set<Use> uses = new LinkedHashSet<>();
        List<String> strings = new ArrayList<>();
        List<String> classes = new ArrayList<>(List.of(owner));
        for (CodeElement element : code) {
            switch (element) {
                case InvokeInstruction call -> {
                    String key = call.name().stringValue() + call.type().stringValue();
                    String type = call.owner().asInternalName();
                    if (call.opcode() == Opcode.INVOKESTATIC) {
                        uses.add(new Initialization(type));
                    }
                    boolean isDirect = call.opcode() == Opcode.INVOKESTATIC || call.opcode() == Opcode.INVOKESPECIAL;
                    uses.add(isDirect ? new Direct(type, key) : new Virtual(type, key));
                }
                case InvokeDynamicInstruction call -> {
                    addClass(call.typeSymbol().returnType(), uses); // the lambda's interface
                    call.bootstrapArgs().forEach(argument -> add(argument, uses));
                }
                case NewObjectInstruction creation -> {
                    uses.add(new Initialization(creation.className().asInternalName()));
                    uses.add(new Creation(creation.className().asInternalName()));
                }
                case FieldInstruction field when field.opcode() == Opcode.GETSTATIC
                        || field.opcode() == Opcode.PUTSTATIC ->
                    uses.add(new Initialization(field.owner().asInternalName()));
                case LoadConstantInstruction load -> {
                    if (load.constantValue() instanceof String string) {
                        strings.add(string);
                    } else if (load.constantValue() instanceof ClassDesc type && type.isClassOrInterface()) {
                        classes.add(internalName(type));
                    } else {
                        add(load.constantValue(), uses);
                    }
                }
                default -> {
                }
            }
        }
        if (looksUp) {
            for (String type : classes) {
                strings.forEach(name -> uses.add(new ByName(type, name)));
            }
        }
        return List.copyOf(uses);
    }

    private static void add(ConstantDesc constant, Set<Use> uses) {
        if (constant instanceof DirectMethodHandleDesc handle && handle.owner().isClassOrInterface()) {
            String owner = internalName(handle.owner());
            String key = handle.methodName() + handle.lookupDescriptor();
            switch (handle.kind()) {
                case VIRTUAL, INTERFACE_VIRTUAL -> uses.add(new Virtual(owner, key));
                case CONSTRUCTOR -> {
                    uses.add(new Initialization(owner));
                    uses.add(new Creation(owner));
                    uses.add(new Direct(owner, "<init>" + handle.lookupDescriptor()));
                }
                case STATIC, INTERFACE_STATIC -> {
                    uses.add(new Initialization(owner));
                    uses.add(new Direct(owner, key));
                }
                default -> uses.add(new Direct(owner, key));
            }
        } else if (constant instanceof DynamicConstantDesc<?> dynamic) {
            for (ConstantDesc argument : dynamic.bootstrapArgs()) {
                add(argument, uses);
            }
        }
    }

    private static void addClass(ClassDesc type, Set<Use> uses) {
        if (type.isClassOrInterface()) {
            uses.add(new Creation(internalName(type)));
        }
    }

    private static String internalName(ClassDesc type) {
        String descriptor = type.descriptorString();
        return descriptor.substring(1, descriptor.length() - 1);
    }
}
