package dev.outcrop.benchmarks.comparator;

import java.util.List;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.ReusedSynchronisationType;

/** The ways in which rocksdbjni passes keys to a comparator. */
enum RocksJavaBuffers {
    /** Copied into direct buffers that each thread keeps. */
    REUSED_BY_THREAD("direct buffers of the thread", true, ReusedSynchronisationType.THREAD_LOCAL, Size.ANY),
    /** Copied into two direct buffers that all threads use in turn. This is the default, but here also for long keys. */
    REUSED_IN_TURN("direct buffers in turn", true, ReusedSynchronisationType.ADAPTIVE_MUTEX, Size.ANY),
    /** In place, in new direct buffers for every comparison. */
    NEW("new direct buffers", true, ReusedSynchronisationType.ADAPTIVE_MUTEX, Size.NONE),
    /** Copied into buffers on the heap that each thread keeps. */
    REUSED_ON_HEAP("heap buffers of the thread", false, ReusedSynchronisationType.THREAD_LOCAL, Size.ANY);

    private final String label;
    private final boolean isDirect;
    private final ReusedSynchronisationType synchronisation;
    private final int maxReusedBytes;

    RocksJavaBuffers(String label, boolean isDirect, ReusedSynchronisationType synchronisation, int maxReusedBytes) {
        this.label = label;
        this.isDirect = isDirect;
        this.synchronisation = synchronisation;
        this.maxReusedBytes = maxReusedBytes;
    }

    /** Returns the ways that a run compares with. */
    static List<RocksJavaBuffers> all(boolean isQuick) {
        return isQuick ? List.of(REUSED_BY_THREAD, NEW) : List.of(values());
    }

    ComparatorOptions options() {
        return new ComparatorOptions().setUseDirectBuffer(isDirect).setReusedSynchronisationType(synchronisation)
                .setMaxReusedBufferSize(maxReusedBytes);
    }

    @Override
    public String toString() {
        return label;
    }

    /** Values of {@code maxReusedBufferSize}. */
    private static final class Size {
        /** At least as long as any key here. The default is 64. */
        static final int ANY = 256;
        static final int NONE = -1;

        private Size() {
        }
    }
}
