package org.rocksdb;

/**
 * Chooses the table files that an iterator reads. It is called in the thread that uses the iterator. If it throws, the exception is logged
 * and the file is read.
 *
 * <p>A closed filter can be given to no more options. Read options and iterators that have it still call it.
 */
public abstract class AbstractTableFilter extends RocksCallbackObject implements TableFilter {

    /** For subclasses. */
    @SuppressWarnings("this-escape") // only to say that it is open
    protected AbstractTableFilter() {
        super();
        keep(this);
    }

    /**
     * Makes no native object: read options get one whenever they are given the filter.
     *
     * @param nativeParameterHandles nothing
     * @return 0
     */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return 0;
    }
}
