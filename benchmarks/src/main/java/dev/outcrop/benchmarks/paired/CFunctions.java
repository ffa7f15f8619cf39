package dev.outcrop.benchmarks.paired;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/** {@code paired.c}: the tasks in C, each of them one call. */
final class CFunctions {
    private static final int TASK_WORDS = 9;

    private final SymbolLookup library;
    /** The {@code struct task}. */
    private final MemorySegment task = Arena.global().allocate(JAVA_LONG, TASK_WORDS);

    @SuppressWarnings("restricted") // the library is ours
    CFunctions(Path compiled, Workload workload) {
        library = SymbolLookup.libraryLookup(compiled, Arena.global());
        task.setAtIndex(JAVA_LONG, 3, workload.keys());
        task.setAtIndex(JAVA_LONG, 4, workload.shape().valueBytes());
        task.setAtIndex(JAVA_LONG, 5, workload.operations());
        task.setAtIndex(JAVA_LONG, 6, workload.shape().records());
        task.setAtIndex(JAVA_LONG, 7, workload.keyBytes());
        task.setAtIndex(JAVA_LONG, 8, workload.shape().task() == Task.RANDOM_KEYS ? 1 : 0);
        try {
            function("use_library", FunctionDescriptor.ofVoid(ADDRESS))
                    .invoke(Arena.global().allocateFrom(workload.database().engine().toString()));
        } catch (Throwable e) {
            throw failed("use_library", e);
        }
    }

    /** Works on another database from now on. */
    void use(RocksDB db) {
        List<Long> handles = db.columnFamilies().stream().map(NativeHandles::family).toList();
        MemorySegment families = Arena.global().allocate(JAVA_LONG, handles.size());
        for (int i = 0; i < handles.size(); i++) {
            families.setAtIndex(JAVA_LONG, i, handles.get(i));
        }
        task.setAtIndex(JAVA_LONG, 0, NativeHandles.database(db));
        task.setAtIndex(JAVA_LONG, 1, families.address());
        task.setAtIndex(JAVA_LONG, 2, handles.size() - 1L);
    }

    /** One of the tasks. */
    Side.Work work(String name) {
        MethodHandle function = function(name, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        return seed -> {
            try {
                return (long) function.invokeExact(task, seed);
            } catch (Throwable e) {
                throw failed(name, e);
            }
        };
    }

    @SuppressWarnings("restricted") // the functions are ours
    private MethodHandle function(String name, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type);
    }

    private static BenchmarkException failed(String name, Throwable e) {
        return new BenchmarkException("Cannot call the C function " + name + ": " + e, e);
    }
}
