package org.rocksdb;

import java.util.Arrays;

/** Name and options of a column family. */
public class ColumnFamilyDescriptor {

    private final byte[] columnFamilyName;
    private final ColumnFamilyOptions columnFamilyOptions;

    /**
     * With default options.
     *
     * @param columnFamilyName the name's bytes
     */
    public ColumnFamilyDescriptor(byte[] columnFamilyName) {
        this(columnFamilyName, new ColumnFamilyOptions());
    }

    /**
     * With options.
     *
     * @param columnFamilyName    the name's bytes
     * @param columnFamilyOptions options
     */
    public ColumnFamilyDescriptor(byte[] columnFamilyName, ColumnFamilyOptions columnFamilyOptions) {
        this.columnFamilyName = columnFamilyName;
        this.columnFamilyOptions = columnFamilyOptions;
    }

    /**
     * The name.
     *
     * @return its bytes
     */
    public byte[] getName() {
        return columnFamilyName;
    }

    /**
     * The options.
     *
     * @return the object that was given
     */
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
