package dev.outcrop.testsupport;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program that initializes all classes of a directory and runs other programs, and a Java agent that watches the C functions that they
 * link and the callbacks that they make. Prints a line for each shape.
 */
public final class ForeignCalls {
    private static final String WATCHED = "dev.outcrop.memory.NativeCalls";
    private static final ClassDesc HERE = ForeignCalls.class.describeConstable().orElseThrow();
    private static final ClassDesc DESCRIPTOR = FunctionDescriptor.class.describeConstable().orElseThrow();
    private static final ClassDesc OPTIONS = Linker.Option[].class.describeConstable().orElseThrow();

    /** Called first in the methods of the watched class. */
    private static final Map<String, Consumer<CodeBuilder>> HOOKS = Map.of("link", ForeignCalls::tellOfDowncall,
            "linkLibc", ForeignCalls::tellOfDowncall, "callback", ForeignCalls::tellOfUpcall);

    private static final Set<String> SEEN = new ConcurrentSkipListSet<>();
    private static volatile @Nullable Path classes;

    private ForeignCalls() {
    }

    /** Makes the agent's jar. The agent's class is on the class path. */
    static Path agent(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ForeignCalls.class.getName());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(@Nullable ClassLoader loader, String name, @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain, byte[] bytes) {
                try {
                    return name.replace('/', '.').equals(WATCHED) ? watched(bytes) : null;
                } catch (RuntimeException | Error e) {
                    // The JVM would silently keep the old class.
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1);
                    return null;
                }
            }
        });
    }

    private static void tellOfDowncall(CodeBuilder code) {
        code.aload(1).aload(2).invokestatic(HERE, "downcall",
                MethodTypeDesc.of(ConstantDescs.CD_void, DESCRIPTOR, OPTIONS));
    }

    private static void tellOfUpcall(CodeBuilder code) {
        code.aload(1).invokestatic(HERE, "upcall", MethodTypeDesc.of(ConstantDescs.CD_void, DESCRIPTOR));
    }

    private static byte[] watched(byte[] bytes) {
        ClassFile classFile = ClassFile.of();
        return classFile.transformClass(classFile.parse(bytes), (type, element) -> {
            Consumer<CodeBuilder> hook = element instanceof MethodModel method
                    ? HOOKS.get(method.methodName().stringValue())
                    : null;
            if (element instanceof MethodModel method && hook != null) {
                type.withMethod(method.methodName(), method.methodType(), method.flags().flagsMask(),
                        to -> method.forEach(part -> {
                            if (part instanceof CodeModel code) {
                                to.withCode(builder -> {
                                    hook.accept(builder);
                                    code.forEach(builder::with);
                                });
                            } else {
                                to.with(part);
                            }
                        }));
            } else {
                type.with(element);
            }
        });
    }

    public static void downcall(FunctionDescriptor descriptor, Linker.Option[] options) {
        see("downcall " + ForeignShape.of(descriptor, options));
    }

    public static void upcall(FunctionDescriptor descriptor) {
        see("upcall " + ForeignShape.of(descriptor));
    }

    /** Sees a shape, but only in classes of the directory: their dependencies have their own metadata. */
    private static void see(String line) {
        Class<?> caller = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(type -> type != ForeignCalls.class && !type.getName().equals(WATCHED)).findFirst()
                        .orElseThrow());
        if (ClassPath.placeOf(caller).equals(classes)) {
            SEEN.add(line);
        }
    }

    static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path directory = Path.of(arguments[0]);
        classes = directory;
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".class")).sorted().toList()) {
                String name = directory.relativize(file).toString().replace('/', '.');
                if (!name.endsWith("-info.class")) {
                    initialize(name.substring(0, name.length() - ".class".length()));
                }
            }
        }
        for (String program : Arrays.asList(arguments).subList(1, arguments.length)) {
            Method main = Class.forName(program).getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        }
        SEEN.forEach(System.out::println);
    }

    private static void initialize(String name) throws ClassNotFoundException {
        try {
            Class.forName(name);
        } catch (LinkageError e) {
            // The function exists only on another platform. The request was seen.
            if (!(e.getCause() instanceof UnsatisfiedLinkError)) {
                throw e;
            }
        }
    }
}
