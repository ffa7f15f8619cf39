package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The class files of {@code org.rocksdb} in a jar or directory.
 *
 * @param models the classes by their internal names
 */
record ClassFiles(Map<String, ClassModel> models) {

    static ClassFiles of(Path jar) throws IOException {
        if (Files.isDirectory(jar)) {
            return read(jar);
        }
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            return read(files.getPath("/"));
        }
    }

    private static ClassFiles read(Path root) throws IOException {
        Map<String, ClassModel> models = new TreeMap<>();
        List<Path> found;
        try (Stream<Path> files = Files.walk(root.resolve("org").resolve("rocksdb"))) {
            found = files.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (Path file : found) {
            ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
            models.put(model.thisClass().asInternalName(), model);
        }
        return new ClassFiles(models);
    }

    /** Returns the public classes, and the classes that they extend or implement. */
    List<PublishedClass> published() {
        List<PublishedClass> published = new ArrayList<>();
        for (ClassModel model : models.values()) {
            if (isVisible(model)
                    || models.values().stream().anyMatch(other -> isVisible(other) && isAbove(model, other))) {
                published.add(new PublishedClass(model, flags(model)));
            }
        }
        return published;
    }

    /** Returns whether programs can name the class: it and all classes around it are public or protected. */
    private boolean isVisible(ClassModel model) {
        String name = model.thisClass().asInternalName();
        if ((flags(model) & (ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED)) == 0) {
            return false;
        }
        int dollar = name.lastIndexOf('$');
        return dollar < 0 || isVisible(Objects.requireNonNull(models.get(name.substring(0, dollar))));
    }

    private static boolean isAbove(ClassModel model, ClassModel below) {
        return Stream.concat(below.superclass().stream(), below.interfaces().stream())
                .map(ClassEntry::asInternalName).anyMatch(model.thisClass().asInternalName()::equals);
    }

    /** Returns the declared flags; nested classes have them in a separate attribute. */
    private static int flags(ClassModel model) {
        return model.findAttribute(Attributes.innerClasses()).stream().flatMap(inner -> inner.classes().stream())
                .filter(inner -> inner.innerClass().equals(model.thisClass())).findFirst()
                .map(InnerClassInfo::flagsMask).orElse(model.flags().flagsMask());
    }
}
