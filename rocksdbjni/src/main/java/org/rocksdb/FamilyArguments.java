package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Names and options of column families as arrays for C; the options live until this is closed. */
final class FamilyArguments implements AutoCloseable {

    private final MemorySegment names;
    private final MemorySegment options;
    private final MemorySegment handles;
    private final int count;
    private final List<OpeningOptions> copies = new ArrayList<>();

    FamilyArguments(Scratch scratch, List<ColumnFamilyDescriptor> families) throws RocksDBException {
        count = families.size();
        names = array(scratch);
        options = array(scratch);
        handles = array(scratch);
        try {
            for (int i = 0; i < count; i++) {
                ColumnFamilyDescriptor family = families.get(i);
                OpeningOptions opening = new OpeningOptions(family.getOptions());
                copies.add(opening);
                options.setAtIndex(ValueLayout.JAVA_LONG, i, opening.handle);
                names.setAtIndex(ValueLayout.JAVA_LONG, i, text(scratch, family.getName()));
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private MemorySegment array(Scratch scratch) {
        return scratch.allocate(Long.BYTES * (long) Math.max(1, count), Long.BYTES);
    }

    private static long text(Scratch scratch, byte[] name) {
        MemorySegment text = scratch.allocate(name.length + 1L, 1);
        MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
        text.set(ValueLayout.JAVA_BYTE, name.length, (byte) 0);
        return text.address();
    }

    long names() {
        return names.address();
    }

    long options() {
        return options.address();
    }

    long handles() {
        return handles.address();
    }

    /** The native handles that opening has written. */
    List<Long> opened() {
        List<Long> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opened.add(handles.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
        return opened;
    }

    @Override
    public void close() {
        copies.forEach(OpeningOptions::close);
    }
}
