package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the keys of column families with a comparator in Java. RocksDB would sort them too, but its sort runs out of the array if the
 * comparator contradicts itself. This sort always ends, and detects contradictions.
 */
/*
 * A bottom-up merge sort (Knuth, The Art of Computer Programming, volume 3, 5.2.4) of numbers of slots, in arrays that never become
 * smaller. It compares keys in Java, which is ten times as fast as a callback.
 */
public final class KeySort {
    private int[] sorted = new int[0];
    private int[] spare = new int[0];
    private int[] places = new int[0];

    /**
     * Sorts the keys of each column family that has a comparator in Java, and returns the places of all keys.
     *
     * @param pins      knows each key by its slot
     * @param slotOfKey the slots by key; null if the slot of every key is its number
     * @return the new slots by key, valid until the next call
     */
    public int[] sort(KeyGroups groups, PinTable pins, MemorySegment memory, int @Nullable [] slotOfKey) {
        int count = groups.keys();
        if (places.length < count) {
            sorted = new int[count];
            spare = new int[count];
            places = new int[count];
        }
        for (int slot = 0; slot < count; slot++) {
            sorted[slot] = slot;
        }
        for (int group = 0; group < groups.size(); group++) {
            if (groups.family(group).order instanceof CheckedComparator order) {
                sort(pins, memory, order, groups.start(group), groups.start(group + 1));
            }
        }
        for (int place = 0; place < count; place++) {
            spare[sorted[place]] = place;
        }
        for (int key = 0; key < count; key++) {
            places[key] = spare[slotOfKey == null ? key : slotOfKey[key]];
        }
        return places;
    }

    private void sort(PinTable pins, MemorySegment memory, CheckedComparator order, int from, int to) {
        for (int width = 1; width < to - from; width *= 2) {
            for (int start = from; start + width < to; start += 2 * width) {
                merge(pins, memory, order, start, start + width, Math.min(to, start + 2 * width));
            }
        }
        for (int i = from + 1; i < to; i++) {
            order.requireOpposite(pins.key(sorted[i - 1], memory), pins.key(sorted[i], memory));
        }
    }

    private void merge(PinTable pins, MemorySegment memory, CheckedComparator order, int from, int middle, int to) {
        System.arraycopy(sorted, from, spare, from, middle - from);
        int left = from;
        int right = middle;
        // The place to fill never overtakes the unread keys on the right.
        for (int place = from; left < middle; place++) {
            sorted[place] = right < to
                    && order.compare(pins.key(sorted[right], memory), pins.key(spare[left], memory)) < 0
                            ? sorted[right++]
                            : spare[left++];
        }
    }
}
