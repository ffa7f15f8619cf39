package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Coverage of a public class.
 *
 * @param name the name in sources
 * @param works the number of public methods and constructors that work
 * @param refused methods that can throw {@code UnsupportedOperationException}
 * @param unreachable the number of methods that would work, but on objects that cannot be made
 * @param declared the number of abstract methods
 * @param natives the number of native methods
 */
record CoveredClass(String name, int works, List<String> refused, int unreachable, int declared, int natives) {

    /** Returns all public classes by name. */
    static Map<String, CoveredClass> read(Path classes) throws IOException {
        ClassFiles files = ClassFiles.of(classes);
        Refusals refusals = Refusals.of(files);
        Set<String> made = made(files, refusals);
        Map<String, CoveredClass> covered = new TreeMap<>();
        for (PublishedClass each : files.published()) {
            if ((each.flags() & ClassFile.ACC_PUBLIC) != 0) {
                CoveredClass one = of(each, made, refusals);
                covered.put(one.name, one);
            }
        }
        return covered;
    }

    private static CoveredClass of(PublishedClass each, Set<String> made, Refusals refusals) {
        int works = 0;
        int unreachable = 0;
        int declared = 0;
        int natives = 0;
        List<String> refused = new ArrayList<>();
        for (MethodModel method : each.model().methods()) {
            int flags = method.flags().flagsMask();
            natives += (flags & ClassFile.ACC_NATIVE) / ClassFile.ACC_NATIVE;
            if ((flags & ClassFile.ACC_PUBLIC) == 0 || (flags & ClassFile.ACC_SYNTHETIC) != 0) {
                continue;
            }
            boolean needsObject = (flags & ClassFile.ACC_STATIC) == 0 && !method.methodName().equalsString("<init>");
            if ((flags & ClassFile.ACC_ABSTRACT) != 0) {
                declared++;
            } else if (refusals.has(each.model(), method)) {
                refused.add(label(each, method));
            } else if (needsObject && !made.contains(each.name())) {
                unreachable++;
            } else {
                works++;
            }
        }
        refused.sort(null);
        return new CoveredClass(each.name().replaceFirst("^org/rocksdb/", "").replace('/', '.').replace('$', '.'),
                works, refused,
                unreachable, declared, natives);
    }

    /** Returns the classes that can have objects: a public constructor works, or a working method makes an object. */
    private static Set<String> made(ClassFiles files, Refusals refusals) {
        Set<String> made = new HashSet<>();
        for (ClassModel model : files.models().values()) {
            String name = model.thisClass().asInternalName();
            if ((model.flags().flagsMask() & (ClassFile.ACC_ENUM | ClassFile.ACC_INTERFACE)) != 0) {
                made.add(name);
            }
            for (MethodModel method : model.methods()) {
                int flags = method.flags().flagsMask();
                if (refusals.has(model, method)) {
                    continue;
                }
                if ((flags & ClassFile.ACC_NATIVE) != 0) {
                    addNatives(files, method.methodTypeSymbol().returnType(), made);
                }
                if (method.methodName().equalsString("<init>")
                        && (flags & (ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED)) != 0) {
                    made.add(name);
                }
                instructions(method).filter(NewObjectInstruction.class::isInstance)
                        .map(made2 -> ((NewObjectInstruction) made2).className().asInternalName()).forEach(made::add);
            }
        }
        // An object of a subclass is an object of its superclass too.
        boolean more = true;
        while (more) {
            more = files.models().values().stream().filter(model -> made.contains(model.thisClass().asInternalName()))
                    .flatMap(model -> model.superclass().stream()).map(above -> made.add(above.asInternalName()))
                    .reduce(false, Boolean::logicalOr);
        }
        return made;
    }

    /** Adds the class that a native method returns, and the classes that its constructor takes. */
    private static void addNatives(ClassFiles files, ClassDesc type, Set<String> made) {
        ClassDesc element = type;
        while (element.isArray()) {
            element = element.componentType();
        }
        String name = element.isPrimitive()
                ? ""
                : element.descriptorString().substring(1, element.descriptorString().length() - 1);
        ClassModel model = files.models().get(name);
        if (model != null && made.add(name)) {
            model.methods().stream().filter(method -> method.methodName().equalsString("<init>"))
                    .flatMap(method -> method.methodTypeSymbol().parameterList().stream())
                    .forEach(parameter -> addNatives(files, parameter, made));
        }
    }

    private static Stream<?> instructions(MethodModel method) {
        return method.code().stream().flatMap(code -> code.elementStream());
    }

    private static String label(PublishedClass each, MethodModel method) {
        String simple = each.name().substring(Math.max(each.name().lastIndexOf('/'), each.name().lastIndexOf('$')) + 1);
        String name = method.methodName().stringValue();
        return (name.equals("<init>") ? simple : name) + method.methodTypeSymbol().parameterList().stream()
                .map(ClassDesc::displayName).collect(Collectors.joining(", ", "(", ")"));
    }
}
