package dev.outcrop.codegen.capi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test compiles a small API over a target with the functions a, b, c … and looks which of them are found. */
class CallGraphTest {

    @TempDir
    private Path directory;

    @Test
    void findsWhatPublicAndProtectedMembersCallThroughPrivateOnes() throws IOException {
        assertThat(reached("""
                public class Db {
                    Db() { C.a(); }
                    public static Db open() { return new Db(); }
                    public void put() { inner(); }
                    protected void sync() { C.c(); }
                    private void inner() { C.b(); }
                    void internal() { C.d(); }
                }
                """)).isEqualTo(Map.of("a", "Db.open", "b", "Db.put", "c", "Db.sync"));
    }

    @Test
    void findsNothingBehindTypesThatUsersCannotName() throws IOException {
        assertThat(reached("""
                class Hidden {
                    public static void call() { C.a(); }
                    public static class Nested { public static void call() { C.b(); } }
                }
                """, """
                public final class Db {
                    private Db() { }
                    public void close() { C.c(); }
                }
                """)).isEmpty();
    }

    @Test
    void findsConstructorsInitializersAndNestedTypes() throws IOException {
        assertThat(reached("""
                public class Db {
                    static final Object LOADED = Lib.VALUE;
                    public static class Builder { public Builder() { C.b(); } }
                }
                """, "class Lib { static final Object VALUE = make(); static Object make() { C.a(); return 1; } }"))
                .isEqualTo(Map.of("a", "Db", "b", "new Db.Builder"));
    }

    @Test
    void followsLambdasAndMethodReferences() throws IOException {
        assertThat(
                reached("""
                        public class Db {
                            public static Runnable lambda() { return () -> C.a(); }
                            public static Runnable direct() { return C::b; }
                            public static Object virtual() {
                                java.util.function.Consumer<Inner> c = Inner::call;
                                return new Object[]{c, new Inner()};
                            }
                            public static Object constructor() { java.util.function.Supplier<Made> s = Made::new; return s; }
                        }
                        """,
                        "class Inner { void call() { C.c(); } }", "class Made { Made() { C.d(); } }"))
                .isEqualTo(Map.of("a", "Db.lambda", "b", "Db.direct", "c", "Db.virtual", "d", "Db.constructor"));
    }

    @Test
    void followsInterfacesToTheClassesThatAreCreatedAndToNoOthers() throws IOException {
        assertThat(reached("""
                public class Db {
                    public static Reader reader() { return new Reads(); }
                    static Reader other() { return new Unused(); }
                }
                """, "public interface Reader { void get(); default void twice() { C.e(); } }",
                "class Reads implements Reader { public void get() { C.a(); } public void more() { C.b(); } }",
                "class Unused implements Reader { public void get() { C.c(); } }"))
                .isEqualTo(Map.of("a", "Reader.get", "e", "Reader.twice"));
    }

    @Test
    void followsOverridingThroughAbstractClasses() throws IOException {
        assertThat(reached("public class Db { public void run(int n) { (n > 0 ? new One() : null).step(); } }",
                "abstract class Step { final void step() { before(); go(); } void before() { C.a(); } abstract void go(); }",
                "class One extends Step { void go() { C.b(); } }",
                "class Two extends Step { void go() { C.c(); } void before() { C.d(); } }"))
                .isEqualTo(Map.of("a", "Db.run", "b", "Db.run"));
    }

    @Test
    void countsMembersInheritedFromAHiddenClassAsThePublicOnes() throws IOException {
        assertThat(reached("public final class Options extends Setters { }",
                "abstract class Setters { public void size(long size) { C.a(); } void hidden() { C.b(); } }"))
                .isEqualTo(Map.of("a", "Options.size"));
    }

    @Test
    void countsWhatOtherCodeMayCallBack() throws IOException {
        assertThat(reached("""
                public class Db {
                    public static void start() { new Thread(new Task()); }
                }
                """, "class Task implements Runnable { public void run() { C.a(); } public void other() { C.b(); } }"))
                .isEqualTo(Map.of("a", "Db.start"));
    }

    @Test
    void followsMethodsThatAreLookedUpByName() throws IOException {
        assertThat(
                reached("""
                        import java.lang.invoke.*;
                        public class Db {
                            public static Object stub() throws ReflectiveOperationException {
                                return MethodHandles.lookup().findStatic(Stubs.class, "compare", MethodType.methodType(void.class));
                            }
                        }
                        """,
                        "class Stubs { static void compare() { C.a(); } static void merge() { C.b(); } }"))
                .isEqualTo(Map.of("a", "Db.stub"));
    }

    @Test
    void namesTheNearestMember() throws IOException {
        assertThat(reached("""
                public class Db {
                    public static void all() { some(); }
                    public static void some() { one(); }
                    private static void one() { C.a(); }
                }
                """)).isEqualTo(Map.of("a", "Db.some"));
    }

    @Test
    void saysWhichClassItCannotFind() throws IOException {
        reached("public class Db { public static class Task extends Base { } }", "class Base { }");
        Files.delete(directory.resolve("api/Base.class"));

        assertThatThrownBy(() -> CallGraph.reached(List.of(directory), "api", "api/C"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("api/Db$Task")
                .hasMessageContaining("api/Base").hasMessageContaining("class path");
    }

    private Map<String, String> reached(String... sources) throws IOException {
        List<String> files = new ArrayList<>();
        files.add(write(
                "final class C { static void a() {} static void b() {} static void c() {} static void d() {} static void e() {} }"));
        for (String source : sources) {
            files.add(write(source));
        }
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int result = ToolProvider.getSystemJavaCompiler().run(null, messages, messages,
                files.toArray(String[]::new));
        assertThat(result).as(messages.toString(UTF_8)).isZero();
        return CallGraph.reached(List.of(directory), "api", "api/C");
    }

    private String write(String source) throws IOException {
        String name = source.replaceFirst("(?s)^.*?(?:class|interface) (\\w+).*$", "$1");
        Path file = directory.resolve("api").resolve(name + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "package api; " + source);
        return file.toString();
    }
}
