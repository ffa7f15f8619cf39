package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.ArrayList;
import java.util.List;

/** Marks files for compaction that have many deletions next to each other. */
final class CompactOnDeletion extends TablePropertiesCollectorFactory {

    private CompactOnDeletion(long handle) {
        super(handle);
    }

    static TablePropertiesCollectorFactory make(long window, long deletions, double ratio) {
        return new CompactOnDeletion(
                TablePropertiesCollectorFactory.jniNewCompactOnDeletionCollectorFactory(window, deletions, ratio));
    }

    /** Sets the factories of native options, which share them. */
    static void set(long options, List<TablePropertiesCollectorFactory> factories) {
        List<Scratch> used = new ArrayList<>();
        try {
            factories.forEach(factory -> used.add(factory.use()));
            Options.jniSetTablePropertiesCollectorFactory(options,
                    factories.stream().mapToLong(factory -> factory.nativeHandle_).toArray());
        } finally {
            used.reversed().forEach(Scratch::close);
        }
    }

    /** Returns new objects for the factories of native options. */
    static List<TablePropertiesCollectorFactory> get(long options) {
        List<TablePropertiesCollectorFactory> factories = new ArrayList<>();
        for (long factory : Options.jniTablePropertiesCollectorFactory(options)) {
            factories.add(new CompactOnDeletion(factory));
        }
        return factories;
    }

    @Override
    protected void disposeInternal(long handle) {
        TablePropertiesCollectorFactory.jniDeleteCompactOnDeletionCollectorFactory(handle);
    }
}
