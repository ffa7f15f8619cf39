package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.internal.OrderRehearsal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

    /** The default family, with options that others own. */
    private FamilyArguments(Scratch scratch, long optionsOfDefault) {
        count = 1;
        names = array(scratch);
        options = array(scratch);
        handles = array(scratch);
        names.set(ValueLayout.JAVA_LONG, 0, text(scratch, RocksDB.DEFAULT_COLUMN_FAMILY));
        options.set(ValueLayout.JAVA_LONG, 0, optionsOfDefault);
    }

    static FamilyArguments ofDefault(Scratch scratch, long options) {
        return new FamilyArguments(scratch, options);
    }

    /** Opens those that exist for reading, and closes them again, so that comparators are asked what they will be asked. */
    void rehearse(Scratch scratch, String path, long databaseOptions) {
        MemorySegment database = scratch.allocateFrom(path);
        Set<String> existing = new HashSet<>();
        Databases.listColumnFamilies(scratch, databaseOptions, database)
                .forEach(name -> existing.add(new String(name, StandardCharsets.UTF_8)));
        MemorySegment existingNames = array(scratch);
        MemorySegment existingOptions = array(scratch);
        int found = 0;
        for (int i = 0; i < count; i++) {
            long name = names.getAtIndex(ValueLayout.JAVA_LONG, i);
            if (existing.contains(Natives.text(name))) {
                existingNames.setAtIndex(ValueLayout.JAVA_LONG, found, name);
                existingOptions.setAtIndex(ValueLayout.JAVA_LONG, found++,
                        options.getAtIndex(ValueLayout.JAVA_LONG, i));
            }
        }
        if (found > 0) {
            OrderRehearsal.run(databaseOptions, database, found, existingNames.address(), existingOptions.address());
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

    /** Whether memtables of all of them are skip lists. */
    boolean haveSkipLists() {
        return copies.stream().allMatch(OpeningOptions::haveSkipLists);
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
