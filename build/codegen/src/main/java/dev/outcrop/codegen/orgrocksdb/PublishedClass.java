package dev.outcrop.codegen.orgrocksdb;

import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The public declarations of a class file.
 *
 * @param model the class file
 * @param flags its declared flags
 */
record PublishedClass(ClassModel model, int flags) {

    private static final int SEEN = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;

    /** Flags that an implementation may choose, or that have no meaning for programs. */
    private static final Set<AccessFlag> NOT_DECLARED = Set.of(AccessFlag.NATIVE, AccessFlag.SYNCHRONIZED,
            AccessFlag.SUPER,
            AccessFlag.STRICT, AccessFlag.TRANSIENT, AccessFlag.VOLATILE);

    String name() {
        return model.thisClass().asInternalName();
    }

    boolean isEnum() {
        return (flags & ClassFile.ACC_ENUM) != 0;
    }

    /** Returns whether it keeps the settings of a table or memtable in fields. */
    boolean isSettings() {
        return model.superclass().map(ClassEntry::asInternalName).filter(
                above -> above.equals("org/rocksdb/TableFormatConfig") || above.equals("org/rocksdb/MemTableConfig"))
                .isPresent();
    }

    List<String> rows() {
        List<String> rows = new ArrayList<>();
        rows.add(String.join("\t", "class", name(),
                words(flags & ~ClassFile.ACC_SUPER, AccessFlag.Location.INNER_CLASS) + deprecated(model),
                model.superclass().map(ClassEntry::asInternalName).orElse(""),
                model.interfaces().stream().map(ClassEntry::asInternalName).collect(Collectors.joining(",")),
                signature(model)));
        model.fields().stream().filter(this::isDeclared).map(this::row).forEach(rows::add);
        // The order of methods in the source is not part of the API.
        model.methods().stream().filter(this::isDeclared).map(this::row).sorted().forEach(rows::add);
        return rows;
    }

    private boolean isDeclared(FieldModel field) {
        return (field.flags().flagsMask() & SEEN) != 0 || field.fieldName().equalsString("serialVersionUID");
    }

    /**
     * Returns whether the table has a method. It has all constructors: subclasses must call one, and carriers have a field for each
     * parameter.
     */
    private boolean isDeclared(MethodModel method) {
        int flags = method.flags().flagsMask();
        if ((flags & ClassFile.ACC_SYNTHETIC) != 0 || method.methodName().equalsString("<clinit>")) {
            return false;
        }
        return (flags & SEEN) != 0 || (method.methodName().equalsString("<init>") && !isEnum());
    }

    private String row(FieldModel field) {
        return String.join("\t", "field",
                words(field.flags().flagsMask(), AccessFlag.Location.FIELD) + deprecated(field),
                field.fieldName().stringValue(), field.fieldType().stringValue(), signature(field),
                field.findAttribute(Attributes.constantValue())
                        .map(c -> escape(c.constant().constantValue().toString()))
                        .orElse(""));
    }

    private String row(MethodModel method) {
        String thrown = method.findAttribute(Attributes.exceptions()).stream().flatMap(e -> e.exceptions().stream())
                .map(ClassEntry::asInternalName).collect(Collectors.joining(","));
        return String.join("\t", "method",
                words(method.flags().flagsMask(), AccessFlag.Location.METHOD) + deprecated(method),
                method.methodName().stringValue(), method.methodType().stringValue(), signature(method), thrown,
                String.join(",", parameters(method)));
    }

    /** Returns the names of parameters from debugging information, which interfaces lack. */
    private static List<String> parameters(MethodModel method) {
        Map<Integer, String> slots = new TreeMap<>();
        method.code().flatMap(code -> code.findAttribute(Attributes.localVariableTable()))
                .ifPresent(table -> table.localVariables().stream()
                        .sorted(Comparator.comparingInt(LocalVariableInfo::startPc))
                        .forEach(variable -> slots.putIfAbsent(variable.slot(), variable.name().stringValue())));
        List<String> names = new ArrayList<>();
        int slot = (method.flags().flagsMask() & ClassFile.ACC_STATIC) != 0 ? 0 : 1;
        MethodTypeDesc type = method.methodTypeSymbol();
        for (ClassDesc parameter : type.parameterList()) {
            String name = slots.get(slot);
            if (name == null) {
                return List.of();
            }
            names.add(name);
            slot += parameter.descriptorString().matches("[JD]") ? 2 : 1;
        }
        return names;
    }

    private static String words(int mask, AccessFlag.Location location) {
        return AccessFlag.maskToAccessFlags(mask, location).stream().filter(flag -> !NOT_DECLARED.contains(flag))
                .map(flag -> flag.name().toLowerCase(java.util.Locale.ROOT)).sorted().collect(Collectors.joining(" "));
    }

    private static String deprecated(AttributedElement element) {
        return element.findAttribute(Attributes.deprecated()).isPresent() ? " deprecated" : "";
    }

    private static String signature(AttributedElement element) {
        return element.findAttribute(Attributes.signature()).map(s -> s.signature().stringValue()).orElse("");
    }

    private static String escape(String constant) {
        return constant.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
    }
}
