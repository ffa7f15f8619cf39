package org.rocksdb;

/** Marks files for compaction that have many deletions next to each other. */
final class CompactOnDeletion extends TablePropertiesCollectorFactory {

    private CompactOnDeletion(long handle) {
        super(handle);
    }

    static TablePropertiesCollectorFactory make(long window, long deletions, double ratio) {
        return new CompactOnDeletion(
                TablePropertiesCollectorFactory.jniNewCompactOnDeletionCollectorFactory(window, deletions, ratio));
    }

    @Override
    protected void disposeInternal(long handle) {
        TablePropertiesCollectorFactory.jniDeleteCompactOnDeletionCollectorFactory(handle);
    }
}
