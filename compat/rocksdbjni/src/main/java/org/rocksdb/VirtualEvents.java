package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdb.AbstractEventListener.EnabledEventCallback;

/**
 * C has no callbacks for some events. This class adds these events to C's listeners. RocksDB calls the virtual functions of a listener
 * through a table; the first word of the listener points to the table. All listeners with such events share a copy of C's table. In the
 * copy, functions of {@link EventCallbacks} replace functions that do nothing.
 */
final class VirtualEvents {

    private static final FunctionDescriptor INFO = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);
    private static final Map<EnabledEventCallback, String> METHODS = new EnumMap<>(Map.ofEntries(
            Map.entry(EnabledEventCallback.ON_TABLE_FILE_DELETED, "tableFileDeleted"),
            Map.entry(EnabledEventCallback.ON_TABLE_FILE_CREATED, "tableFileCreated"),
            Map.entry(EnabledEventCallback.ON_TABLE_FILE_CREATION_STARTED, "tableFileCreationStarted"),
            Map.entry(EnabledEventCallback.ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED, "familyDeletionStarted"),
            Map.entry(EnabledEventCallback.ON_FILE_READ_FINISH, "fileRead"),
            Map.entry(EnabledEventCallback.ON_FILE_WRITE_FINISH, "fileWritten"),
            Map.entry(EnabledEventCallback.ON_FILE_FLUSH_FINISH, "fileFlushed"),
            Map.entry(EnabledEventCallback.ON_FILE_SYNC_FINISH, "fileSynced"),
            Map.entry(EnabledEventCallback.ON_FILE_RANGE_SYNC_FINISH, "fileRangeSynced"),
            Map.entry(EnabledEventCallback.ON_FILE_TRUNCATE_FINISH, "fileTruncated"),
            Map.entry(EnabledEventCallback.ON_FILE_CLOSE_FINISH, "fileClosed"),
            Map.entry(EnabledEventCallback.SHOULD_BE_NOTIFIED_ON_FILE_IO, "shouldBeNotifiedOnFileIo"),
            Map.entry(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN, "errorRecoveryBegin"),
            Map.entry(EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED, "errorRecoveryCompleted")));
    private static final long BITS = EventCallbacks.bits(METHODS.keySet().toArray(EnabledEventCallback[]::new));
    /** In this many words of C's listener, its state is searched. The listener has more words. */
    private static final int WORDS = 12;
    /** A table has two words before its first function. */
    private static final int BEFORE = 2;

    /** Set once, before a listener has the table. */
    private static volatile VirtualEvents made;
    private static boolean hasFailed;

    private final EventFields fields;
    /** The address of the first function. */
    private final long table;
    /** The offset of the number of the Java object in a native listener. */
    private final long state;

    private VirtualEvents(EventProbe probe, long listener, long id) {
        fields = probe.fields();
        state = state(listener, id);
        // The copy is longer: RocksDB has more virtual functions behind the functions of the known events, and behind C's table there are
        // more tables.
        MemorySegment copy = Arena.global().allocate(ValueLayout.JAVA_LONG, BEFORE + EventProbe.MOST_FUNCTIONS);
        NativeCalls.copy(NativeCalls.readLong(listener) - BEFORE * (long) Long.BYTES, copy.byteSize(), copy);
        MethodHandle number = number();
        METHODS.forEach((event, method) -> copy.setAtIndex(ValueLayout.JAVA_LONG, BEFORE + probe.function(event),
                Callbacks.stub(MethodHandles.lookup().in(EventCallbacks.class), method, type(event), number)
                        .address()));
        table = copy.address() + BEFORE * (long) Long.BYTES;
    }

    /** Returns the offset of the state in C's listener. The destructor follows the state. */
    private static long state(long listener, long id) {
        for (long at = Long.BYTES; at < WORDS * (long) Long.BYTES; at += Long.BYTES) {
            if (NativeCalls.readLong(listener + at) == id
                    && NativeCalls.readLong(listener + at + Long.BYTES) == Callbacks.DESTRUCTOR.address()) {
                return at;
            }
        }
        throw new IllegalStateException("The state of C's listener is not in its first " + WORDS + " words");
    }

    private static FunctionDescriptor type(EnabledEventCallback event) {
        return switch (event) {
            case SHOULD_BE_NOTIFIED_ON_FILE_IO ->
                FunctionDescriptor.of(ValueLayout.JAVA_BYTE, ValueLayout.JAVA_LONG);
            case ON_ERROR_RECOVERY_BEGIN -> FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
            default -> INFO;
        };
    }

    private MethodHandle number() {
        try {
            return MethodHandles.lookup().bind(this, "number", MethodType.methodType(long.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("There is no method number", e);
        }
    }

    /** Returns the number of the Java object of a native listener. */
    @SuppressWarnings("UnusedMethod") // function pointers call it
    private long number(long listener) {
        return listener == 0 ? Callbacks.WARM_UP : NativeCalls.readLong(listener + state);
    }

    /** Asks a listener whether it wants events of file operations. */
    static boolean isToldOfFiles(AbstractEventListener listener) {
        return (listener.enabledEvents_ & EventCallbacks.bits(EnabledEventCallback.SHOULD_BE_NOTIFIED_ON_FILE_IO)) != 0
                && listener.shouldBeNotifiedOnFileIO();
    }

    /** Adds the events to a new native listener if its Java object has a method for one of them. */
    static void add(long listener, long id, AbstractEventListener told, boolean isToldOfFiles) {
        if ((told.enabledEvents_ & BITS) != 0 && (isToldOfFiles || hasMethod(told))) {
            CallbackGuard.requireToWork();
            VirtualEvents events = of(listener, id);
            if (events != null) {
                NativeCalls.writeLong(listener, events.table);
            }
        }
    }

    /**
     * Returns whether a class overrides a method for an event other than file events. Returns true in a native image, where this is not
     * known.
     */
    private static boolean hasMethod(AbstractEventListener listener) {
        return System.getProperty("org.graalvm.nativeimage.imagecode") != null
                || Arrays.stream(listener.getClass().getMethods())
                        .anyMatch(method -> method.getDeclaringClass() != AbstractEventListener.class
                                && method.getName().matches("on(TableFile|ColumnFamily|ErrorRecovery).*"));
    }

    private static synchronized VirtualEvents of(long listener, long id) {
        if (made == null && !hasFailed) {
            try {
                made = new VirtualEvents(EventProbe.run(), listener, id);
            } catch (IllegalStateException e) {
                hasFailed = true;
                System.getLogger("dev.outcrop.rocksdbjni").log(System.Logger.Level.WARNING,
                        "Event listeners are not told of " + METHODS.keySet()
                                + ": use the library in dev.outcrop:outcrop-rocksdb-natives",
                        e);
            }
        }
        return made;
    }

    static EventFields fields() {
        return made.fields;
    }
}
