package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.rocksdb.AbstractEventListener.EnabledEventCallback;

/**
 * Finds out from RocksDB which virtual function of a listener is called for an event, and where the fields of the arguments are. The
 * library has a function for tests of listeners. It passes all events to a listener, in order and with known values. Here it gets a
 * listener that is only a table of our functions.
 */
final class EventProbe implements Upcall {

    /** The library's function. Its first two parameters have no names in RocksDB's source, so it does not use them. */
    private static final String TELL_ALL = "Java_org_rocksdb_test_TestableEventListener_invokeAllCallbacks";
    private static final FunctionDescriptor TELL_ALL_TYPE = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor FUNCTION = FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    /** More than the number of virtual functions of a listener. */
    static final int MOST_FUNCTIONS = 64;

    private static final Status NO_SPACE = new Status(Status.Code.Incomplete, Status.SubCode.NoSpace, null);
    private static final long BEGAN = 1_600_699_420_000_000_000L;
    private static final FileOperationInfo OPERATION = new FileOperationInfo("/file/path", -1, 4096, BEGAN,
            5_000_000_000L, NO_SPACE);
    private static final TableFileCreationBriefInfo START = new TableFileCreationBriefInfo("dbName",
            "columnFamilyName", "/file/path", Integer.MAX_VALUE, (byte) TableFileCreationReason.MISC.toNative());

    private final EventFields fields = new EventFields();
    private final int[] functions = new int[EnabledEventCallback.values().length];
    private final Scratch scratch;
    private int told;
    /** The reason why events cannot be passed on, or null. */
    private Throwable problem;

    private EventProbe(Scratch scratch) {
        this.scratch = scratch;
    }

    /**
     * Asks the library.
     *
     * @throws IllegalStateException if the library has no such function, or if the function calls listeners differently from RocksDB 11
     */
    static EventProbe run() {
        MemorySegment tellAll = NativeLibraries.rocksdb().find(TELL_ALL).orElseThrow(
                () -> new IllegalStateException("The library has no function " + TELL_ALL));
        try (Scratch scratch = Scratch.open(); Arena arena = Arena.ofConfined()) {
            EventProbe probe = new EventProbe(scratch);
            MemorySegment table = arena.allocate(ValueLayout.JAVA_LONG, MOST_FUNCTIONS);
            MethodHandle called = MethodHandles.lookup().bind(probe, "called",
                    MethodType.methodType(long.class, int.class, long.class, long.class, long.class));
            for (int i = 0; i < MOST_FUNCTIONS; i++) {
                table.setAtIndex(ValueLayout.JAVA_LONG, i, NativeCalls
                        .callback(MethodHandles.insertArguments(called, 0, i), FUNCTION, arena).address());
            }
            // A listener, and a shared_ptr that does not own it.
            MemorySegment listener = arena.allocate(ValueLayout.JAVA_LONG);
            listener.set(ValueLayout.JAVA_LONG, 0, table.address());
            MemorySegment shared = arena.allocate(ValueLayout.JAVA_LONG, 2);
            shared.set(ValueLayout.JAVA_LONG, 0, listener.address());
            NativeCalls.link(tellAll, TELL_ALL_TYPE).invokeExact(0L, 0L, shared.address());
            probe.requireAll();
            return probe;
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    private void requireAll() {
        switch (problem) {
            case null -> {
                // Everything is as expected.
            }
            case VirtualMachineError e -> throw e;
            default -> throw new IllegalStateException(problem);
        }
        require(told, functions.length);
        require(Arrays.stream(functions).distinct().count(), (long) functions.length);
    }

    /** Returns the index of the virtual function that is called for an event. */
    int function(EnabledEventCallback event) {
        return functions[event.toNative()];
    }

    EventFields fields() {
        return fields;
    }

    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // RocksDB calls it, with the listener
    private long called(int function, long listener, long first, long second) {
        if (problem == null) {
            try {
                // The numbers of events are in the order of the calls.
                EnabledEventCallback event = EnabledEventCallback.fromNative(told);
                functions[told++] = function;
                check(event, first, second);
            } catch (Throwable e) {
                problem = e;
            }
        }
        return 0;
    }

    private void check(EnabledEventCallback event, long first, long second) {
        switch (event) {
            case ON_TABLE_FILE_DELETED -> {
                fields.measureText(first);
                require(fields.deletion(first, scratch),
                        new TableFileDeletionInfo("dbName", "/file/path", Integer.MAX_VALUE, NO_SPACE));
            }
            case ON_TABLE_FILE_CREATED -> {
                fields.measureCreation(first);
                require(fields.creationStart(first, scratch), START);
                TableFileCreationInfo created = fields.creation(first, scratch);
                require(created.getFileSize(), -1L);
                require(created.getTableProperties().getNumEntries(), -1L);
                require(created.getStatus(), NO_SPACE);
            }
            case ON_TABLE_FILE_CREATION_STARTED -> require(fields.creationStart(first, scratch), START);
            case ON_FILE_READ_FINISH -> {
                fields.measureClock(first, BEGAN);
                require(fields.operation(first, scratch), OPERATION);
            }
            case ON_FILE_WRITE_FINISH, ON_FILE_FLUSH_FINISH, ON_FILE_SYNC_FINISH, ON_FILE_RANGE_SYNC_FINISH,
                    ON_FILE_TRUNCATE_FINISH, ON_FILE_CLOSE_FINISH ->
                require(fields.operation(first, scratch), OPERATION);
            case ON_ERROR_RECOVERY_BEGIN -> {
                require(BackgroundErrorReason.fromNative((int) first), BackgroundErrorReason.FLUSH);
                require(EventFields.status(second, scratch), NO_SPACE);
            }
            case ON_ERROR_RECOVERY_COMPLETED -> require(EventFields.status(first, scratch), NO_SPACE);
            default -> {
                // C has a callback for the event, or the event has no arguments.
            }
        }
    }

    private static void require(Object found, Object expected) {
        if (!found.equals(expected)) {
            throw new IllegalStateException("RocksDB tells " + found + " instead of " + expected);
        }
    }
}
