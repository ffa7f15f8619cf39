package org.rocksdb;

/** Marks files for compaction that have many deletions next to each other. */
final class CompactOnDeletion extends TablePropertiesCollectorFactory {

    private CompactOnDeletion(long handle) {
        super(handle);
    }

    static TablePropertiesCollectorFactory make(long window, long deletions, double ratio) {
        return new CompactOnDeletion(
                Exports.TABLE_PROPERTIES_COLLECTOR_FACTORY_NEW_COMPACT_ON_DELETION_COLLECTOR_FACTORY
                        .call(window, deletions, Double.doubleToRawLongBits(ratio)));
    }

    @Override
    protected void disposeInternal(long handle) {
        Exports.TABLE_PROPERTIES_COLLECTOR_FACTORY_DELETE_COMPACT_ON_DELETION_COLLECTOR_FACTORY.call(handle);
    }
}
