package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.misuse.MisuseMethods;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Methods refuse null, closed objects and objects of other databases. */
class MisuseTest extends DatabaseTest {
    private static final List<String> USABLE_AFTER_CLOSE = List.of("close", "path", "toString", "pinnedBytes",
            "pinBudget", "hasTtl", "with",
            "defaultColumnFamily", "columnFamily", "findColumnFamily", "columnFamilies", "statistics", "at",
            "backgroundWork", "tracing");

    /** Methods that refuse a column family without timestamps first; see TimestampsTest. */
    private static final List<String> NEED_TIMESTAMPS = List.of("at", "getTimestamped");

    @Override
    RocksDB open() {
        RocksDB db = RocksDB.open(directory, create().mergeOperator(MergeOperator.STRING_APPEND));
        db.put(Bytes.of("key"), Bytes.random(1, 10_000));
        return db;
    }

    /** The public methods of the class and of the interfaces it implements, without those of Object. */
    private static Stream<Method> methods(Class<?> type) {
        return Stream.of(type.getMethods()).filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> !isRepeated(type, method)).map(MisuseMethods::original);
    }

    /** Whether it is a bridge to a method of the same class, and not to one of a superclass that is not public. */
    private static boolean isRepeated(Class<?> type, Method bridge) {
        return bridge.isBridge() && Stream.of(type.getMethods())
                .anyMatch(method -> !method.isBridge() && method.getName().equals(bridge.getName())
                        && Arrays.equals(method.getParameterTypes(), bridge.getParameterTypes()));
    }

    private static @Nullable Throwable thrownBy(Method method, Object target, @Nullable Object[] arguments) {
        try {
            method.invoke(target, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClosedDatabaseIsNamedByEveryMethod() {
        RocksDB db = open();
        KeyValueReader reader = db.with(new ReadOptions());
        KeyValueWriter writer = db.with(new WriteOptions());
        db.close();
        db.close();
        List<String> checked = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            SampleArguments samples = new SampleArguments(db, arena);
            for (Object target : List.of(db, reader, writer, db.with(new ReadOptions()), db.with(new WriteOptions()))) {
                Class<?> type = target == db
                        ? RocksDB.class
                        : target instanceof KeyValueReader ? KeyValueReader.class : DatabaseWriter.class;
                methods(type).filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .filter(method -> !USABLE_AFTER_CLOSE.contains(method.getName()))
                        // Cannot be made here; WriteBatchWithIndexTest makes one before.
                        .filter(method -> !List.of(method.getParameterTypes()).contains(WriteBatchWithIndex.class))
                        .forEach(method -> {
                            assertThat(thrownBy(method, target, samples.of(method))).as(method.toString())
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessage("The database " + directory + " is closed");
                            checked.add(method.getName());
                        });
            }
        }
        assertThat(checked).contains("put", "delete", "singleDelete", "deleteRange", "merge", "get", "getPinned",
                "getHybrid", "multiGet", "keyMayExist", "getTimestamped", "scan", "iterator", "stream", "iterators",
                "approximateSizes", "updatesSince", "flush", "compact", "property");
        assertThat(db.path()).isEqualTo(directory);
        assertThat(db.pinnedBytes()).isZero();
        assertThat(db.toString()).contains(directory.toString());
    }

    /** Each method with bytes in native, mapped or buffer form, of which one is in the arena and the others are not. */
    private static List<Callable<?>> uses(RocksDB db, Arena arena, Arena others) {
        List<Callable<?>> uses = new ArrayList<>();
        for (Method method : methods(RocksDB.class).toList()) {
            if (NEED_TIMESTAMPS.contains(method.getName())) {
                continue;
            }
            for (int i = 0; i < method.getParameterCount(); i++) {
                if (List.of(MemorySegment.class, ByteBuffer.class).contains(method.getParameterTypes()[i])) {
                    @Nullable
                    Object[] arguments = new SampleArguments(db, others).of(method);
                    arguments[i] = new SampleArguments(db, arena).of(method)[i];
                    uses.add(() -> thrownBy(method, db, arguments));
                }
            }
        }
        assertThat(uses).hasSizeGreaterThan(20);
        return uses;
    }

    @Test
    void memoryThatIsGoneIsRefused() throws Exception {
        RocksDB db = closeLater(open());
        Arena others = closeLater(Arena.ofShared());
        Arena gone = Arena.ofConfined();
        List<Callable<?>> uses = uses(db, gone, others);
        gone.close();
        for (Callable<?> use : uses) {
            assertThat(use.call()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void memoryOfAnotherThreadIsRefused() throws Exception {
        RocksDB db = closeLater(open());
        Arena others = closeLater(Arena.ofShared());
        Arena confined = closeLater(Arena.ofConfined());
        for (Callable<?> use : uses(db, confined, others)) {
            Object thrown = CompletableFuture.supplyAsync(() -> {
                try {
                    return use.call();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }).join();
            assertThat(thrown).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    void aMappedFileThatIsCutIsAnErrorOfTheJvmAndNotItsEnd() throws Exception {
        Path file = Files.write(directory.resolve("mapped"), new byte[1 << 20]);
        RocksDB db = closeLater(open());
        Arena arena = closeLater(Arena.ofConfined());
        FileChannel channel = closeLater(FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
        MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1 << 20, arena);
        MemorySegment key = Bytes.inNative(Bytes.of("key"));
        db.put(Bytes.of("large"), new byte[100_000]);
        try (MultiGet request = db.multiGet().add(Bytes.of("large"));
                MultiGetValues values = request.execute(mapped)) {
            assertThat(values.isPinned()).isFalse();
            channel.truncate(0);
            assertThatThrownBy(() -> values.array(0)).isInstanceOf(InternalError.class);
        }
        assertThatThrownBy(() -> db.put(key, mapped)).isInstanceOf(InternalError.class);
        assertThatThrownBy(() -> db.get(mapped)).isInstanceOf(InternalError.class);
        assertThatThrownBy(() -> db.get(key, mapped)).isInstanceOf(InternalError.class);
        assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.random(1, 10_000));
    }

    @Test
    void optionsCannotBeChangedOnceTheyAreUsed() {
        RocksDB db = closeLater(open());
        ReadOptions read = new ReadOptions().fillCache(false);
        KeyValueReader reader = db.with(read);
        assertThatThrownBy(() -> read.fillCache(true)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("new ReadOptions()");
        assertThat(read.fillCache()).isFalse();
        WriteOptions write = new WriteOptions().sync(true);
        KeyValueWriter writer = db.with(write);
        assertThatThrownBy(() -> write.sync(false)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("new WriteOptions()");
        assertThat(write.sync()).isTrue();
        writer.put(Bytes.of("a"), Bytes.of("b"));
        assertThat(reader.get(Bytes.of("a"))).isEqualTo(Bytes.of("b"));
        assertThat(db.with(read).get(Bytes.of("a"))).isEqualTo(Bytes.of("b"));
    }

    @Test
    void anUnknownPropertyIsNull() {
        RocksDB db = closeLater(open());
        assertThat(db.property("rocksdb.estimate-num-keys")).isEqualTo("1");
        assertThat(db.property("rocksdb.nonsense")).isNull();
        assertThat(db.property("rocksdb.stats\0")).isNull();
        assertThat(db.property("")).isNull();
    }
}
