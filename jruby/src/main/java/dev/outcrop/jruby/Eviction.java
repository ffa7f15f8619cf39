package dev.outcrop.jruby;

/** Which pages a cache unmaps after it has mapped one. The benchmarks compare other ways with the one here. */
interface Eviction {
    /**
     * Whether a page goes. Asked for every other page than the one that is wanted, the least recently used first.
     *
     * @param page     is mapped
     * @param wanted   is mapped too, and stays; beyond the metadata's head if it is about to become the head's
     * @param mapped   how many pages are mapped, with these two
     * @param metadata where head and tail are
     */
    boolean isSpare(long page, long wanted, int mapped, PageMetadata metadata);

    /** Keeps so many pages, those that were used last. */
    static Eviction leastRecentlyUsed(int cacheSize) {
        return (_, _, mapped, _) -> mapped > cacheSize;
    }
}
