package dev.outcrop.jruby.mmap;

/** Decides which pages a cache unmaps after it has mapped one. The benchmarks compare other policies with this one. */
interface EvictionPolicy {
    /**
     * Whether a page is evicted. Called for each page but the wanted one, the least recently used first.
     *
     * @param page     is mapped
     * @param wanted   is mapped too, and stays; beyond the metadata's head if it is about to become the head's
     * @param mapped   how many pages are mapped, with these two
     * @param metadata where head and tail are
     */
    boolean isSpare(long page, long wanted, int mapped, PageMetadata metadata);

    /** Keeps so many pages, those that were used last. */
    static EvictionPolicy leastRecentlyUsed(int cacheSize) {
        return (_, _, mapped, _) -> mapped > cacheSize;
    }
}
