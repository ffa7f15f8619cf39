package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.ComparatorDryRun;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Names and options of column families as arrays for C. The options live until this object is closed. */
final class ColumnFamilyArguments implements AutoCloseable {

    private final MemorySegment names;
    private final MemorySegment options;
    private final MemorySegment handles;
    private final int count;
    private final List<byte[]> bytes = new ArrayList<>();
    private final List<CheckedOptions> copies = new ArrayList<>();

    ColumnFamilyArguments(Scratch scratch, List<ColumnFamilyDescriptor> families) throws RocksDBException {
        count = families.size();
        names = array(scratch);
        options = array(scratch);
        handles = array(scratch);
        try {
            for (int i = 0; i < count; i++) {
                ColumnFamilyDescriptor family = families.get(i);
                CheckedOptions opening = new CheckedOptions(family.getOptions());
                copies.add(opening);
                options.setAtIndex(ValueLayout.JAVA_LONG, i, opening.handle);
                // The native method, not C, gets names with a zero byte: see open.
                bytes.add(family.getName().clone());
                names.setAtIndex(ValueLayout.JAVA_LONG, i, text(scratch, bytes.get(i)));
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The default family, with options of another owner. */
    private ColumnFamilyArguments(Scratch scratch, long optionsOfDefault) {
        count = 1;
        names = array(scratch);
        options = array(scratch);
        handles = array(scratch);
        bytes.add(RocksDB.DEFAULT_COLUMN_FAMILY);
        names.set(ValueLayout.JAVA_LONG, 0, text(scratch, RocksDB.DEFAULT_COLUMN_FAMILY));
        options.set(ValueLayout.JAVA_LONG, 0, optionsOfDefault);
    }

    static ColumnFamilyArguments ofDefault(Scratch scratch, long options) {
        return new ColumnFamilyArguments(scratch, options);
    }

    /**
     * Opens the existing families for reading and closes them again. So the comparators get the same calls as when the database is opened.
     */
    void dryRun(Scratch scratch, String path, long databaseOptions) throws RocksDBException {
        Set<ByteBuffer> existing = new HashSet<>();
        Databases.listColumnFamilies(scratch, databaseOptions, path)
                .forEach(name -> existing.add(ByteBuffer.wrap(name)));
        List<Integer> found = IntStream.range(0, count).filter(i -> existing.contains(ByteBuffer.wrap(bytes.get(i))))
                .boxed().toList();
        if (found.stream().anyMatch(i -> hasZero(bytes.get(i)))) {
            dryRunByJni(found, path, databaseOptions);
        } else if (!found.isEmpty()) {
            MemorySegment existingNames = array(scratch);
            MemorySegment existingOptions = array(scratch);
            for (int i = 0; i < found.size(); i++) {
                existingNames.setAtIndex(ValueLayout.JAVA_LONG, i,
                        names.getAtIndex(ValueLayout.JAVA_LONG, found.get(i)));
                existingOptions.setAtIndex(ValueLayout.JAVA_LONG, i,
                        options.getAtIndex(ValueLayout.JAVA_LONG, found.get(i)));
            }
            ComparatorDryRun.run(databaseOptions, NativeValues.text(scratch, path), found.size(),
                    existingNames.address(),
                    existingOptions.address());
        }
    }

    private void dryRunByJni(List<Integer> found, String path, long databaseOptions) throws RocksDBException {
        String carried = JniPaths.path(path);
        byte[][] existingNames = found.stream().map(bytes::get).toArray(byte[][]::new);
        long[] existingOptions = found.stream().mapToLong(i -> copies.get(i).familyOptions()).toArray();
        ComparatorDryRun.run(databaseOptions, prepared -> {
            try {
                long[] opened = RocksDB.jniOpenROnly(prepared, carried, existingNames, existingOptions, false);
                for (int i = 1; i < opened.length; i++) {
                    ColumnFamilyHandle.jniDisposeInternalJni(opened[i]);
                }
                RocksDB.jniDisposeInternalJni(opened[0]);
            } catch (RocksDBException e) {
                // Opening the database will report the same failure.
            }
        });
    }

    /** Opens a database with C. */
    interface COpening {
        long open() throws RocksDBException;
    }

    /** Opens a database with a native method. */
    interface JniOpening {
        long[] open(byte[][] names, long[] options) throws RocksDBException;
    }

    /**
     * Opens a database with C, or with a native method if C cannot open it or if a name has a zero byte, because C would cut the name
     * there. Returns C's structure.
     */
    long open(Scratch scratch, COpening opening, JniOpening jni) throws RocksDBException {
        if (opening != null && bytes.stream().noneMatch(ColumnFamilyArguments::hasZero)) {
            long database = opening.open();
            Errors.check(scratch);
            return database;
        }
        long[] opened = jni.open(bytes.toArray(byte[][]::new),
                copies.stream().mapToLong(CheckedOptions::familyOptions).toArray());
        for (int i = 0; i < count; i++) {
            handles.setAtIndex(ValueLayout.JAVA_LONG, i, JniWrappers.wrap(opened[i + 1]));
        }
        return JniWrappers.wrap(opened[0]);
    }

    /** Returns whether C would cut a name. */
    static boolean hasZero(byte[] name) {
        for (byte b : name) {
            if (b == 0) {
                return true;
            }
        }
        return false;
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

    /** Returns whether all memtables are skip lists. */
    boolean haveSkipLists() {
        return copies.stream().allMatch(CheckedOptions::haveSkipLists);
    }

    /** Checks that universal compaction can merge the files for which writes wait, in each family. */
    void requireMerges() {
        copies.forEach(CheckedOptions::requireMerges);
    }

    /** Returns whether full memtables of any family may be purged in memory. */
    boolean purge() {
        return copies.stream().anyMatch(family -> OptionLimits.purges(family.handle));
    }

    /** Returns the native handles of the opened families. */
    List<Long> opened() {
        List<Long> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            opened.add(handles.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
        return opened;
    }

    @Override
    public void close() {
        copies.forEach(CheckedOptions::close);
    }

    static boolean areEqual(ColumnFamilyDescriptor descriptor, Object other) {
        return other instanceof ColumnFamilyDescriptor that && descriptor.getClass() == that.getClass()
                && Arrays.equals(descriptor.columnFamilyName, that.columnFamilyName)
                && optionsHandle(descriptor) == optionsHandle(that);
    }

    static int hash(ColumnFamilyDescriptor descriptor) {
        return 31 * Long.hashCode(optionsHandle(descriptor)) + Arrays.hashCode(descriptor.columnFamilyName);
    }

    private static long optionsHandle(ColumnFamilyDescriptor descriptor) {
        return descriptor.columnFamilyOptions == null ? 0 : descriptor.columnFamilyOptions.nativeHandle_;
    }
}
