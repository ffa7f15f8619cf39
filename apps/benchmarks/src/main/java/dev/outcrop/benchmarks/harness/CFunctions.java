package dev.outcrop.benchmarks.harness;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** {@code paired.c}: tasks in C. Each task is one call. */
public final class CFunctions {
    private static final int TASK_WORDS = 10;

    private final CLibrary library;
    /** The {@code struct task}. */
    private final MemorySegment task = Arena.global().allocate(JAVA_LONG, TASK_WORDS);

    /** Loads the compiled library. It then uses the RocksDB that this process has loaded. */
    public CFunctions(Path compiled, Path engine, Shape shape) {
        library = new CLibrary(compiled);
        task.setAtIndex(JAVA_LONG, 3, shape.keys);
        task.setAtIndex(JAVA_LONG, 4, shape.valueBytes);
        task.setAtIndex(JAVA_LONG, 5, shape.operations);
        task.setAtIndex(JAVA_LONG, 6, shape.records);
        task.setAtIndex(JAVA_LONG, 7, shape.keyBytes);
        task.setAtIndex(JAVA_LONG, 8, shape.choice.number);
        task.setAtIndex(JAVA_LONG, 9, shape.entries);
        library.call("use_library", FunctionDescriptor.ofVoid(ADDRESS), Arena.global().allocateFrom(engine.toString()));
    }

    /**
     * Changes to another database. Takes its {@code rocksdb_t *} and the {@code rocksdb_column_family_handle_t *} of each column family,
     * the default column family first.
     */
    public void use(long db, List<Long> families) {
        MemorySegment handles = Arena.global().allocate(JAVA_LONG, families.size());
        for (int i = 0; i < families.size(); i++) {
            handles.setAtIndex(JAVA_LONG, i, families.get(i));
        }
        task.setAtIndex(JAVA_LONG, 0, db);
        task.setAtIndex(JAVA_LONG, 1, handles.address());
        task.setAtIndex(JAVA_LONG, 2, families.size() - 1L);
    }

    /** Changes to the default column family of another database. Takes its {@code rocksdb_t *}. */
    public void use(long db) {
        use(db, List.of((long) Objects.requireNonNull(
                library.call("default_family", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), db))));
    }

    /** Returns a task that calls a function. */
    public Side.Work work(String name) {
        MethodHandle function = library.function(name, FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
        return seed -> {
            try {
                return (long) function.invokeExact(task, seed);
            } catch (Throwable e) {
                throw CLibrary.failed(name, e);
            }
        };
    }

    /** The keys that are read, one after another. The C programs use the same numbers. */
    public enum Choice {
        /** The key in the middle, over and over. */
        SAME(0),
        /** Random keys, which follow from the seed. */
        RANDOM(1),
        /** All keys in order. The seed decides the first one, and the order continues from the last key to the first. */
        ASCENDING(2);

        private final long number;

        Choice(long number) {
            this.number = number;
        }
    }

    /**
     * The work of the functions.
     *
     * @param keys       number of keys in the database
     * @param keyBytes   size of every key
     * @param valueBytes size of every value
     * @param operations how many operations a call does
     * @param records    how many keys are written at once
     * @param entries    how many entries a range has
     * @param choice     which keys are read
     */
    public record Shape(int keys, int keyBytes, int valueBytes, int operations, int records, int entries,
            Choice choice) {
    }
}
