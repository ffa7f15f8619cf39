package org.rocksdb;

/** What is known of a file of a database. */
public class SstFileMetaData {

    private final String fileName;
    /** Changed only before anybody else has this. */
    String path;
    private final long size;
    private final long smallestSeqno;
    private final long largestSeqno;
    private final byte[] smallestKey;
    private final byte[] largestKey;
    private final long numEntries;
    private final long numDeletions;
    private final byte[] fileChecksum;
    private final long numReadsSampled;
    private final boolean beingCompacted;

    /**
     * Holds what it is given.
     *
     * @param fileName        name with a slash before it
     * @param path            directory
     * @param size            bytes
     * @param smallestSeqno   smallest sequence number
     * @param largestSeqno    largest sequence number
     * @param smallestKey     smallest key
     * @param largestKey      largest key
     * @param numReadsSampled about how often it was read
     * @param beingCompacted  whether a compaction reads it
     * @param numEntries      entries
     * @param numDeletions    deletions among them
     * @param fileChecksum    checksum; empty if there is none
     */
    protected SstFileMetaData(String fileName, String path, long size, long smallestSeqno, long largestSeqno,
            byte[] smallestKey, byte[] largestKey, long numReadsSampled, boolean beingCompacted, long numEntries,
            long numDeletions, byte[] fileChecksum) {
        this.fileName = fileName;
        this.path = path;
        this.size = size;
        this.smallestSeqno = smallestSeqno;
        this.largestSeqno = largestSeqno;
        this.smallestKey = smallestKey;
        this.largestKey = largestKey;
        this.numReadsSampled = numReadsSampled;
        this.beingCompacted = beingCompacted;
        this.numEntries = numEntries;
        this.numDeletions = numDeletions;
        this.fileChecksum = fileChecksum;
    }

    /**
     * Its name.
     *
     * @return the name with a slash before it
     */
    public String fileName() {
        return fileName;
    }

    /**
     * Its directory.
     *
     * @return a path
     */
    public String path() {
        return path;
    }

    /**
     * Its size.
     *
     * @return bytes
     */
    public long size() {
        return size;
    }

    /**
     * Its smallest sequence number.
     *
     * @return the number
     */
    public long smallestSeqno() {
        return smallestSeqno;
    }

    /**
     * Its largest sequence number.
     *
     * @return the number
     */
    public long largestSeqno() {
        return largestSeqno;
    }

    /**
     * Its smallest key.
     *
     * @return the bytes
     */
    public byte[] smallestKey() {
        return smallestKey;
    }

    /**
     * Its largest key.
     *
     * @return the bytes
     */
    public byte[] largestKey() {
        return largestKey;
    }

    /**
     * How many entries it has.
     *
     * @return a number
     */
    public long numEntries() {
        return numEntries;
    }

    /**
     * How many of its entries delete something.
     *
     * @return a number
     */
    public long numDeletions() {
        return numDeletions;
    }

    /**
     * Its checksum.
     *
     * @return the bytes; empty if there is none
     */
    public byte[] fileChecksum() {
        return fileChecksum;
    }

    /**
     * About how often it was read.
     *
     * @return a number
     */
    public long numReadsSampled() {
        return numReadsSampled;
    }

    /**
     * Whether a compaction reads it.
     *
     * @return true if so
     */
    public boolean beingCompacted() {
        return beingCompacted;
    }
}
