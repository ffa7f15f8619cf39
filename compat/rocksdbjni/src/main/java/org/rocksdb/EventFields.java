package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeEventListener;
import java.lang.foreign.ValueLayout;

/** Copies the arguments of events without a callback in C. They are C++ structures, for which C has no functions either. */
/*
 * The C++ ABI puts fields in the order of their declarations in RocksDB's listener.h. Only the sizes of two types and the unit of a clock
 * depend on the platform. EventProbe measures them, and compares each kind of structure with known values.
 */
final class EventFields {

    /** More than the size of the properties of a table. */
    private static final int MOST_TABLE_BYTES = 8192;

    /** The size of a {@code std::string}. */
    private long textBytes;
    /** The offset of the status in the structure of a created file. */
    private long statusOfCreation;
    /** The unit of the system clock. */
    private long nanosPerTick;

    /**
     * Measures the size of a text, from a short text. GNU's library keeps the bytes of a short text in the text itself, behind their
     * address.
     */
    void measureText(long text) {
        textBytes = NativeCalls.readLong(text) == text + 2 * Long.BYTES ? 32 : 24;
    }

    /**
     * Finds the status of a created file. It follows the properties of the table, and is {@code Incomplete}, {@code NoSpace}, without a
     * text.
     */
    void measureCreation(long info) {
        long at = properties() + Long.BYTES;
        while (readByte(info + at) != Status.Code.Incomplete.getValue()
                || readByte(info + at + 1) != Status.SubCode.NoSpace.getValue()
                || NativeCalls.readLong(info + at + Long.BYTES) != 0) {
            at += Long.BYTES;
            if (at > MOST_TABLE_BYTES) {
                throw new IllegalStateException("There is no status behind the properties of a table");
            }
        }
        statusOfCreation = at;
    }

    /** Measures the clock with a file operation that began at a known time. */
    void measureClock(long info, long began) {
        nanosPerTick = began / NativeCalls.readLong(NativeCalls.readLong(info + 48));
    }

    TableFileDeletionInfo deletion(long info, Scratch scratch) {
        return new TableFileDeletionInfo(text(info, scratch), text(info + textBytes, scratch),
                readInt(info + 2 * textBytes), status(info + 2 * textBytes + Long.BYTES, scratch));
    }

    TableFileCreationBriefInfo creationStart(long info, Scratch scratch) {
        return new TableFileCreationBriefInfo(text(info, scratch), text(info + textBytes, scratch),
                text(info + 2 * textBytes, scratch), readInt(info + 3 * textBytes), reason(info));
    }

    TableFileCreationInfo creation(long info, Scratch scratch) {
        return new TableFileCreationInfo(NativeCalls.readLong(info + properties() - Long.BYTES),
                EventData.table(info + properties(), scratch), status(info + statusOfCreation, scratch),
                text(info, scratch), text(info + textBytes, scratch), text(info + 2 * textBytes, scratch),
                readInt(info + 3 * textBytes), reason(info));
    }

    private byte reason(long info) {
        return (byte) readInt(info + 3 * textBytes + Integer.BYTES);
    }

    /** Returns the offset of the table's properties. Three texts, job and reason, and the size of the file come first. */
    private long properties() {
        return 3 * textBytes + 2 * Long.BYTES;
    }

    FileOperationInfo operation(long info, Scratch scratch) {
        return new FileOperationInfo(text(NativeCalls.readLong(info + 8), scratch), NativeCalls.readLong(info + 24),
                NativeCalls.readLong(info + 32), nanosPerTick * NativeCalls.readLong(NativeCalls.readLong(info + 48)),
                NativeCalls.readLong(info + 40), status(info + 56, scratch));
    }

    /** Copies a {@code Status}. C's structure for a status holds its address. */
    static Status status(long status, Scratch scratch) {
        scratch.setWord(2, status);
        NativeEventListener.failure(scratch.wordAddress(2), Errors.place(scratch));
        return EventData.status(scratch);
    }

    /** Copies a {@code std::string}, with C's function for a structure that begins with a string. */
    private static String text(long text, Scratch scratch) {
        return EventData.ingestedFamily(text, scratch);
    }

    private static int readInt(long address) {
        return NativeCalls.view(address, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    private static byte readByte(long address) {
        return NativeCalls.view(address, 1).get(ValueLayout.JAVA_BYTE, 0);
    }
}
