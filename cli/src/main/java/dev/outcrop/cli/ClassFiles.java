package dev.outcrop.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Copies a jar so that the JVM's cache takes its classes. Picocli's are of Java 5: their files do not say which types there are where code
 * branches, so they are verified in the old way at each start, longer than all else takes, and no cache keeps them.
 */
final class ClassFiles {
    private ClassFiles() {
    }

    /** Copies a jar: from, to. */
    public static void main(String[] args) throws IOException {
        copy(Path.of(args[0]), Path.of(args[1]));
    }

    /** Copies a jar; the classes in it are as they were, but that their files say what those of Java 8 do. */
    static void copy(Path from, Path to) throws IOException {
        try (ZipFile in = new ZipFile(from.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
            ClassFile files = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    // Otherwise code is copied as it is.
                    ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver
                            .ofResourceParsing(type -> open(in, type))
                            .orElse(ClassHierarchyResolver.defaultResolver())));
            ClassTransform newer = ClassTransform.ACCEPT_ALL
                    .andThen(ClassTransform.endHandler(type -> type.withVersion(ClassFile.JAVA_8_VERSION, 0)));
            for (ZipEntry entry : Collections.list(in.entries())) {
                byte[] bytes = bytes(in, entry);
                if (entry.getName().endsWith(".class") && major(bytes) < ClassFile.JAVA_8_VERSION) {
                    bytes = files.transformClass(files.parse(bytes), newer);
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(bytes);
                out.closeEntry();
            }
        }
    }

    private static int major(byte[] bytes) {
        return Byte.toUnsignedInt(bytes[6]) * 256 + Byte.toUnsignedInt(bytes[7]);
    }

    private static @Nullable InputStream open(ZipFile jar, ClassDesc type) {
        String descriptor = type.descriptorString();
        ZipEntry entry = jar.getEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] bytes(ZipFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
