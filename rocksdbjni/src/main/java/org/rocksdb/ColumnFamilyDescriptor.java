package org.rocksdb;

import java.util.Arrays;

/** The name and the options of a column family. */
public class ColumnFamilyDescriptor {

    private final byte[] columnFamilyName;
    private final ColumnFamilyOptions columnFamilyOptions;

    /**
     * Makes a descriptor with default options.
     *
     * @param columnFamilyName the name's bytes
     */
    public ColumnFamilyDescriptor(byte[] columnFamilyName) {
        this(columnFamilyName, new ColumnFamilyOptions());
    }

    /**
     * Makes a descriptor with options.
     *
     * @param columnFamilyName    the name's bytes
     * @param columnFamilyOptions options
     */
    public ColumnFamilyDescriptor(byte[] columnFamilyName, ColumnFamilyOptions columnFamilyOptions) {
        this.columnFamilyName = columnFamilyName;
        this.columnFamilyOptions = columnFamilyOptions;
    }

    /** {@return the bytes of the name} */
    public byte[] getName() {
        return columnFamilyName;
    }

    /** {@return the given options} */
    public ColumnFamilyOptions getOptions() {
        return columnFamilyOptions;
    }

    @Override
    public boolean equals(Object o) {
        return this == o || (o instanceof ColumnFamilyDescriptor that && getClass() == that.getClass()
                && Arrays.equals(columnFamilyName, that.columnFamilyName)
                && optionsHandle() == that.optionsHandle());
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(optionsHandle()) + Arrays.hashCode(columnFamilyName);
    }

    private long optionsHandle() {
        return columnFamilyOptions == null ? 0 : columnFamilyOptions.nativeHandle_;
    }
}
