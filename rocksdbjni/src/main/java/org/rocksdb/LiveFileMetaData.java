package org.rocksdb;

import dev.outcrop.rocksdbjni.Unsupported;

/** What is known of a file of a database, with its column family and level. */
public class LiveFileMetaData extends SstFileMetaData {

    private final byte[] columnFamilyName;
    private final int level;

    /** Only native code makes one. */
    @SuppressWarnings("UnusedMethod") // because of that
    private LiveFileMetaData(byte[] columnFamilyName, int level, String fileName, String path, long size,
            long smallestSeqno, long largestSeqno, byte[] smallestKey, byte[] largestKey, long numReadsSampled,
            boolean beingCompacted, long numEntries, long numDeletions, byte[] fileChecksum) {
        super(fileName, path, size, smallestSeqno, largestSeqno, smallestKey, largestKey, numReadsSampled,
                beingCompacted, numEntries, numDeletions, fileChecksum);
        this.columnFamilyName = columnFamilyName;
        this.level = level;
    }

    /**
     * Its column family.
     *
     * @return the bytes of the name
     */
    public byte[] columnFamilyName() {
        return columnFamilyName;
    }

    /**
     * Its level.
     *
     * @return 0 for the files that were flushed last
     */
    public int level() {
        return level;
    }

    /**
     * A native copy, which is there for imports only.
     *
     * @return nothing; throws {@link UnsupportedOperationException}
     */
    public long newLiveFileMetaDataHandle() {
        throw Unsupported.method("LiveFileMetaData.newLiveFileMetaDataHandle()");
    }
}
