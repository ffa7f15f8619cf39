package dev.outcrop.rocksdb;

import org.jspecify.annotations.Nullable;

/** What RocksDB's plain tables need of a prefix extractor, and do not check themselves. */
final class PlainTables {
    /**
     * The longest prefix of a fixed length: plain tables take the prefix of any key, even of one that is shorter. The 8 bytes that
     * RocksDB keeps behind each key are read then; what is behind those may not be memory.
     */
    private static final int LONGEST_PREFIX = 8;

    private PlainTables() {
    }

    static void requireSafe(PlainTableEncoding encoding, @Nullable SliceTransform prefix) {
        if (prefix == null) {
            if (encoding == PlainTableEncoding.PREFIX) {
                throw new IllegalStateException("Plain tables that are encoded by prefix need a prefix extractor;"
                        + " set it first, by prefixExtractor(SliceTransform.fixedPrefix(…))");
            }
        } else if (prefix.fixedLength() > LONGEST_PREFIX) {
            throw new IllegalStateException("Plain tables can use fixed prefixes of at most " + LONGEST_PREFIX
                    + " bytes, because they read beyond keys that are shorter, but the prefix extractor is " + prefix);
        }
    }
}
