package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Marks methods of {@code org.rocksdb} as synthetic that only programs call that were compiled with an older version. The JVM links such
 * methods, but compilers do not see them. So a program that is compiled with our classes also runs on the published classes.
 */
public final class OldMembers {
    private static final String DEPRECATED = "Ljava/lang/Deprecated;";
    private static final String SINCE = "11.0";

    private OldMembers() {
    }

    /**
     * Changes class files in place.
     *
     * @param args the directory of the compiled classes
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] args) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of(args[0], "org", "rocksdb"))) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : files) {
            ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
            if (model.methods().stream().anyMatch(method -> isOld(method)
                    && !method.flags().has(AccessFlag.SYNTHETIC))) {
                Files.write(file, ClassFile.of().transformClass(model, hiding()));
            }
        }
    }

    private static ClassTransform hiding() {
        return (builder, element) -> {
            if (element instanceof MethodModel method && isOld(method)) {
                builder.withMethod(method.methodName(), method.methodType(),
                        method.flags().flagsMask() | ClassFile.ACC_SYNTHETIC,
                        copy -> method.elementStream().filter(each -> !(each instanceof AccessFlags))
                                .forEach(copy::with));
            } else {
                builder.with(element);
            }
        };
    }

    private static boolean isOld(MethodModel method) {
        return method.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(all -> all.annotations().stream())
                .filter(each -> each.className().equalsString(DEPRECATED)).map(Annotation::elements)
                .flatMap(List::stream).map(AnnotationElement::value)
                .anyMatch(value -> value instanceof AnnotationValue.OfString text
                        && text.stringValue().equals(SINCE));
    }
}
