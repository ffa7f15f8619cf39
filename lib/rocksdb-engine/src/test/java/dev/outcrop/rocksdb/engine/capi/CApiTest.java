package dev.outcrop.rocksdb.engine.capi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.PinLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CApiTest {
    @TempDir
    private Path directory;

    @Test
    void everyFunctionOfTheTableIsInTheLibrary() {
        List<String> functions = FactsTable.rows("function").stream().map(List::getFirst).toList();

        assertThat(functions).hasSizeGreaterThan(1_700).doesNotHaveDuplicates()
                .allSatisfy(function -> assertThat(Linkage.address(function).address()).isNotZero());
        assertThat(methods().map(Method::getName)).containsExactlyInAnyOrderElementsOf(functions);
    }

    /** invokeExact compares the two when it is called, which no compiler does. */
    @Test
    void everyHandleHasTheTypeThatItsMethodCallsItWith() throws ReflectiveOperationException {
        for (Method method : methods().toList()) {
            Field handle = Class.forName(CApi.class.getName() + "$" + method.getName()).getDeclaredField("HANDLE");
            handle.setAccessible(true);

            assertThat(((MethodHandle) handle.get(null)).type()).as(method.getName())
                    .isEqualTo(MethodType.methodType(method.getReturnType(), method.getParameterTypes()));
        }
    }

    @Test
    void aFunctionThatTheLibraryLacksIsNamedTogetherWithTheLibrary() {
        assertThatThrownBy(() -> Linkage.address("rocksdb_no_such_function")).isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining("rocksdb_no_such_function")
                .hasMessageContaining(NativeLibraries.rocksdbPath().toString());
    }

    @Test
    void theLayoutOfEachStructIsThatOfTheTable() {
        assertThat(FactsTable.rows("struct")).containsExactly(List.of("rocksdb_slice_t",
                Long.toString(CStructs.ROCKSDB_SLICE_T.byteSize()),
                Long.toString(CStructs.ROCKSDB_SLICE_T.byteAlignment())));
        assertThat(FactsTable.rows("field")).hasSize(CStructs.ROCKSDB_SLICE_T.memberLayouts().size())
                .allSatisfy(field -> assertThat(
                        CStructs.ROCKSDB_SLICE_T.byteOffset(PathElement.groupElement(field.getFirst())))
                        .isEqualTo(Long.parseLong(field.getLast())));
    }

    /** The library fills the struct; reading it by our layout must give what the functions without a struct say. */
    @Test
    void theLayoutOfTheSliceIsThatOfTheLibrary() {
        try (Arena arena = Arena.ofConfined(); TestDatabase db = new TestDatabase(directory, arena)) {
            db.put("key of 13 b.", "value of 14 b.");
            long iterator = db.firstEntry();
            MemorySegment length = arena.allocate(JAVA_LONG);

            MemorySegment key = CApi.rocksdb_iter_key_slice(arena, iterator);
            MemorySegment value = CApi.rocksdb_iter_value_slice(arena, iterator);

            assertThat(key.get(JAVA_LONG, CStructs.ROCKSDB_SLICE_T_DATA))
                    .isEqualTo(CApi.rocksdb_iter_key(iterator, length.address()));
            assertThat(key.get(JAVA_LONG, CStructs.ROCKSDB_SLICE_T_SIZE)).isEqualTo(length.get(JAVA_LONG, 0));
            assertThat(value.get(JAVA_LONG, CStructs.ROCKSDB_SLICE_T_DATA))
                    .isEqualTo(CApi.rocksdb_iter_value(iterator, length.address()));
            assertThat(value.get(JAVA_LONG, CStructs.ROCKSDB_SLICE_T_SIZE)).isEqualTo(length.get(JAVA_LONG, 0))
                    .isEqualTo(14);
            CApi.rocksdb_iter_destroy(iterator);
        }
    }

    /** The other direction: the library reads slices that Java has laid out. */
    @Test
    void theLibraryReadsSlicesThatAreLaidOutByTheTable() {
        try (Arena arena = Arena.ofConfined(); TestDatabase db = new TestDatabase(directory, arena)) {
            db.put("one", "1");
            db.put("three", "333");
            MemorySegment keys = arena.allocate(CStructs.ROCKSDB_SLICE_T, 2);
            int slice = 0;
            for (String key : List.of("one", "three")) {
                long start = slice++ * CStructs.ROCKSDB_SLICE_T.byteSize();
                keys.set(JAVA_LONG, start + CStructs.ROCKSDB_SLICE_T_DATA, arena.allocateFrom(key).address());
                keys.set(JAVA_LONG, start + CStructs.ROCKSDB_SLICE_T_SIZE, key.length());
            }
            MemorySegment values = arena.allocate(JAVA_LONG, 2);
            MemorySegment errors = arena.allocate(JAVA_LONG, 2);

            CApi.rocksdb_batched_multi_get_cf_slice(db.address(), db.readOptions(), db.defaultColumnFamily(), 2,
                    keys.address(), values.address(), errors.address(), true);

            assertThat(errors.toArray(JAVA_LONG)).containsOnly(0);
            assertThat(Stream.of(0, 1).map(i -> takePinned(values.getAtIndex(JAVA_LONG, i), arena)))
                    .containsExactly("1", "333");
        }
    }

    /** The values are in the memtable, from which RocksDB copies them into the pin, and then in the block cache, which the pin refers to. */
    @Test
    void aPinBeginsWithTheAddressAndTheSizeOfItsValue() {
        try (Arena arena = Arena.ofConfined(); TestDatabase db = new TestDatabase(directory, arena)) {
            // A std::string holds the shortest within itself.
            List<Integer> sizes = List.of(0, 7, 333, 4_099, 100_003);
            sizes.forEach(size -> db.put("key " + size, "v".repeat(size)));
            for (boolean isFlushed : new boolean[]{false, true}) {
                sizes.forEach(size -> requirePinLayout(db, size, arena));
                if (!isFlushed) {
                    db.flush();
                }
            }
        }
    }

    private static void requirePinLayout(TestDatabase db, int size, Arena arena) {
        MemorySegment key = arena.allocateFrom("key " + size);
        MemorySegment length = arena.allocate(JAVA_LONG);
        MemorySegment error = arena.allocate(JAVA_LONG);
        long handle = NativePins.handle(db.address(), db.readOptions(), db.defaultColumnFamily(), key,
                key.byteSize() - 1, error.address());
        assertThat(PinLayout.address(handle))
                .isEqualTo(CApi.rocksdb_pinnable_handle_get_value(handle, length.address()));
        assertThat(PinLayout.size(handle)).isEqualTo(length.get(JAVA_LONG, 0)).isEqualTo(size);
        NativePins.destroyHandle(handle);

        long slice = NativePins.slice(db.address(), db.readOptions(), db.defaultColumnFamily(), key,
                key.byteSize() - 1, error.address());
        assertThat(PinLayout.address(slice | PinLayout.OF_TRANSACTION))
                .isEqualTo(CApi.rocksdb_pinnableslice_value(slice, length.address()));
        assertThat(PinLayout.size(slice | PinLayout.OF_TRANSACTION)).isEqualTo(length.get(JAVA_LONG, 0))
                .isEqualTo(size);
        NativePins.destroySlice(slice);
    }

    @Test
    void aSignedByteAndABooleanArriveAsTheyWereSent() {
        long options = CApi.rocksdb_options_create();
        CApi.rocksdb_options_set_create_if_missing(options, (byte) 1);
        CApi.rocksdb_options_set_max_open_files(options, -1);

        assertThat(CApi.rocksdb_options_get_create_if_missing(options)).isEqualTo((byte) 1);
        assertThat(CApi.rocksdb_options_get_max_open_files(options)).isEqualTo(-1);
        CApi.rocksdb_options_destroy(options);
    }

    private static String takePinned(long slice, Arena arena) {
        MemorySegment length = arena.allocate(JAVA_LONG);
        long data = CApi.rocksdb_pinnableslice_value(slice, length.address());
        String value = new String(NativeCalls.view(data, length.get(JAVA_LONG, 0)).toArray(JAVA_BYTE),
                StandardCharsets.UTF_8);
        CApi.rocksdb_pinnableslice_destroy(slice);
        return value;
    }

    private static Stream<Method> methods() {
        return Stream.of(CApi.class.getDeclaredMethods()).filter(method -> Modifier.isPublic(method.getModifiers()));
    }
}
