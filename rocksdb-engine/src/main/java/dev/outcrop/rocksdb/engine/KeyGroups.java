package dev.outcrop.rocksdb.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * To which column family each key of a request belongs, and where it stands when the keys are ordered by column family: RocksDB's
 * batched look-up takes keys of one at a time.
 */
/*
 * Families get numbers in the order of their first key, found by a small hash table with open addressing on their ids. Places come
 * from a counting sort, so keys of one family keep their order. Everything is an array that stays as large as it has become.
 */
public final class KeyGroups {
    private static final int FIRST_SIZE = 16;
    /** Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). */
    private static final int SPREAD = 0x9E3779B9;

    private @Nullable FamilyHandle[] families = new FamilyHandle[FIRST_SIZE / 2];
    private int size;
    /** Number of a family plus one; twice as many places as families at least. */
    private int[] table = new int[FIRST_SIZE];
    private int[] groupOfKey = new int[FIRST_SIZE];
    private int keys;
    private int last;
    private int[] slotOfKey = new int[0];
    /** Where the keys of each family begin, and one more. */
    private int[] starts = new int[FIRST_SIZE];

    /** Makes room for keys, while there are none. */
    public void expect(int count) {
        if (groupOfKey.length < count) {
            groupOfKey = new int[count];
        }
    }

    @SuppressWarnings("ReferenceEquality") // there is one object for each family
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
        Arrays.fill(table, 0);
        size = 0;
        keys = 0;
    }

    /** How many keys there are. */
    public int keys() {
        return keys;
    }

    /** How many column families there are. */
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

    /** Where the keys of a family begin, after {@link #arrange()}; those of the next one begin where they end. */
    public int start(int group) {
        return starts[group];
    }

    /**
     * Gives every key a place among all keys ordered by family.
     *
     * @return the places by key, valid until the next call; null if every key stays where it is
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
        // Each beginning has moved to its end, which is the beginning of the next one.
        System.arraycopy(starts, 0, starts, 1, size);
        starts[0] = 0;
        return slotOfKey;
    }

    private int number(FamilyHandle family) {
        int place = place(family);
        if (table[place] == 0) {
            if (size == families.length) {
                grow();
                place = place(family);
            }
            families[size++] = family;
            table[place] = size;
        }
        return table[place] - 1;
    }

    /** Where the family stands in the table, or the free place for it. */
    @SuppressWarnings("ReferenceEquality") // there is one object for each family
    private int place(FamilyHandle family) {
        int mask = table.length - 1;
        int place = (family.id * SPREAD) >>> Integer.numberOfLeadingZeros(mask);
        while (table[place] != 0 && families[table[place] - 1] != family) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        families = Arrays.copyOf(families, 2 * size);
        table = new int[2 * table.length];
        for (int group = 0; group < size; group++) {
            table[place(family(group))] = group + 1;
        }
    }
}
