package dev.outcrop.rocksdb.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Orders the keys of a request by column family, because RocksDB's batched look-up takes keys of one family. */
/*
 * Families get numbers in the order of their first key. A counting sort gives the places, so keys of one family keep their order. Arrays
 * never become smaller.
 */
public final class KeyGroups {
    private static final int FIRST_SIZE = 16;

    private @Nullable FamilyHandle[] families = new FamilyHandle[FIRST_SIZE];
    private int size;
    private int[] groupOfKey = new int[FIRST_SIZE];
    private int keys;
    private int last;
    private int[] slotOfKey = new int[0];
    /** The first place of each family's keys, and the end. */
    private int[] starts = new int[FIRST_SIZE];

    /** Makes room for keys before any are added. */
    public void expect(int count) {
        if (groupOfKey.length < count) {
            groupOfKey = new int[count];
        }
    }

    @SuppressWarnings("ReferenceEquality") // one object for each family
    public void add(FamilyHandle family) {
        if (keys == groupOfKey.length) {
            groupOfKey = Arrays.copyOf(groupOfKey, 2 * keys);
        }
        if (size == 0 || families[last] != family) {
            last = number(family);
        }
        groupOfKey[keys++] = last;
    }

    public void clear() {
        Arrays.fill(families, 0, size, null);
        size = 0;
        keys = 0;
    }

    /** Returns the number of keys. */
    public int keys() {
        return keys;
    }

    /** Returns the number of column families. */
    public int size() {
        return size;
    }

    public FamilyHandle family(int group) {
        FamilyHandle family = families[group];
        if (family == null) {
            throw new IndexOutOfBoundsException(group);
        }
        return family;
    }

    /** Returns the first place of a family's keys, after {@link #arrange()}; the next family's keys follow them. */
    public int start(int group) {
        return starts[group];
    }

    /**
     * Gives every key a place among all keys ordered by family.
     *
     * @return the places by key, valid until the next call; null if every key keeps its place
     */
    public int @Nullable [] arrange() {
        if (starts.length < size + 1) {
            starts = new int[2 * size];
        }
        Arrays.fill(starts, 0, size + 1, 0);
        if (size <= 1) {
            starts[size] = keys;
            return null;
        }
        if (slotOfKey.length < keys) {
            slotOfKey = new int[groupOfKey.length];
        }
        for (int key = 0; key < keys; key++) {
            starts[groupOfKey[key] + 1]++;
        }
        for (int group = 0; group < size; group++) {
            starts[group + 1] += starts[group];
        }
        for (int key = 0; key < keys; key++) {
            slotOfKey[key] = starts[groupOfKey[key]]++;
        }
        // Each start has moved to the start of the next family.
        System.arraycopy(starts, 0, starts, 1, size);
        starts[0] = 0;
        return slotOfKey;
    }

    /** Returns the number of a family. Searches one by one, because requests name few. */
    @SuppressWarnings("ReferenceEquality") // one object for each family
    private int number(FamilyHandle family) {
        for (int group = 0; group < size; group++) {
            if (families[group] == family) {
                return group;
            }
        }
        if (size == families.length) {
            families = Arrays.copyOf(families, 2 * size);
        }
        families[size] = family;
        return size++;
    }
}
