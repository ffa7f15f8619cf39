package org.rocksdb;

/**
 * How keys are shown to a comparator in Java. Buffers are made for each call and cost next to nothing, so the settings for their reuse
 * are kept, and change nothing.
 */
public class ComparatorOptions extends RocksObject {

    private static final int DEFAULT_REUSED_SIZE = 64;

    private boolean direct = true;
    private int maxReusedBufferSize = DEFAULT_REUSED_SIZE;
    private ReusedSynchronisationType synchronisation = ReusedSynchronisationType.ADAPTIVE_MUTEX;

    /** Direct buffers. */
    public ComparatorOptions() {
        super(0);
    }

    /** {@return the setting for how threads would share buffers} */
    public ReusedSynchronisationType reusedSynchronisationType() {
        requireOpen();
        return synchronisation;
    }

    /**
     * Sets how threads would share buffers.
     *
     * @param reusedSynchronisationType the setting
     * @return this
     */
    public ComparatorOptions setReusedSynchronisationType(ReusedSynchronisationType reusedSynchronisationType) {
        requireOpen();
        synchronisation = java.util.Objects.requireNonNull(reusedSynchronisationType, "reusedSynchronisationType");
        return this;
    }

    /** {@return whether keys are passed in direct buffers; otherwise in arrays} */
    public boolean useDirectBuffer() {
        requireOpen();
        return direct;
    }

    /**
     * Sets whether keys are shown in direct buffers, where they are, or copied to arrays.
     *
     * @param useDirectBuffer true for direct buffers
     * @return this
     */
    public ComparatorOptions setUseDirectBuffer(boolean useDirectBuffer) {
        requireOpen();
        direct = useDirectBuffer;
        return this;
    }

    /** {@return the size in bytes up to which buffers would be reused; -1 for none} */
    public int maxReusedBufferSize() {
        requireOpen();
        return maxReusedBufferSize;
    }

    /**
     * Sets up to which size buffers would be reused.
     *
     * @param maxReusedBufferSize bytes; -1 for none
     * @return this
     */
    public ComparatorOptions setMaxReusedBufferSize(int maxReusedBufferSize) {
        requireOpen();
        this.maxReusedBufferSize = maxReusedBufferSize;
        return this;
    }

    private void requireOpen() {
        use().close();
    }

    /** Does nothing: there is no native object. */
    @Override
    protected final void disposeInternal(long handle) {
    }
}
