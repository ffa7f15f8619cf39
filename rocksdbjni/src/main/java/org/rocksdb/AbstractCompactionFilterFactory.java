package org.rocksdb;

/**
 * Makes a filter for each compaction. RocksDB calls it from its own threads, several at once. Exceptions are logged, and the compaction
 * keeps all entries.
 *
 * <p>A closed factory can be given to no more options. Options and databases that have it still call it.
 *
 * @param <T> the filters
 */
public abstract class AbstractCompactionFilterFactory<T extends AbstractCompactionFilter<?>>
        extends
            RocksCallbackObject {

    /** For subclasses. */
    @SuppressWarnings("this-escape") // only to say that it is open
    public AbstractCompactionFilterFactory() {
        super();
        keep(this);
    }

    /**
     * Makes no native object: options get one whenever they are given the factory.
     *
     * @param nativeParameterHandles nothing
     * @return 0
     */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return 0;
    }

    @Override
    protected void disposeInternal() {
        super.disposeInternal();
    }

    /**
     * Makes a filter.
     *
     * @param context what it is made for
     * @return a new one, which the compaction takes over; null for none
     */
    public abstract T createCompactionFilter(AbstractCompactionFilter.Context context);

    /** {@return the name, which RocksDB stores with a database} */
    public abstract String name();
}
