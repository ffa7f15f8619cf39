package org.rocksdb;

/**
 * Says which table files an iterator needs. It is asked in the thread that uses the iterator. If it throws, the exception is logged and the
 * file is read.
 *
 * <p>Closing it says that no more options will be given it. Read options and iterators that have it go on to ask it.
 */
public abstract class AbstractTableFilter extends RocksCallbackObject implements TableFilter {

    /** For subclasses. */
    @SuppressWarnings("this-escape") // only to say that it is open
    protected AbstractTableFilter() {
        super();
        keep(this);
    }

    /**
     * Makes no native object: read options get one each time that they are given the filter.
     *
     * @param nativeParameterHandles nothing
     * @return 0
     */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return 0;
    }
}
