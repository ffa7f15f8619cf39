package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * The writes that were acknowledged to one thread of {@link FailingComparators} in one column family: which values each of its keys may have, and which
 * keys may have any.
 */
final class FailingModel {
    /** Instead of a value. */
    static final String NONE = "";

    private final Map<String, Set<String>> values = new TreeMap<>();
    private final Set<String> anything = new TreeSet<>();

    Set<String> of(String key) {
        return values.computeIfAbsent(key, _ -> new HashSet<>(Set.of(NONE)));
    }

    boolean isAnything(String key) {
        return anything.contains(key);
    }

    void mayBeAnything(String key) {
        may(key, NONE);
        anything.add(key);
    }

    void may(String key, String value) {
        of(key).add(value);
    }

    void is(String key, String value) {
        anything.remove(key);
        values.put(key, new HashSet<>(Set.of(value)));
    }

    boolean allows(String key, String value) {
        Set<String> allowed = values.get(key);
        return anything.contains(key) || (allowed == null ? value.equals(NONE) : allowed.contains(value));
    }

    /** Compares a column family with what was acknowledged to all threads. */
    static void compare(RocksDB db, ColumnFamilyHandle family, Comparator<String> order, List<FailingModel> models,
            String when) throws RocksDBException {
        TreeMap<String, String> found = new TreeMap<>(order);
        List<String> forth = new ArrayList<>();
        List<String> back = new ArrayList<>();
        try (RocksIterator iterator = db.newIterator(family)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                forth.add(new String(iterator.key(), UTF_8));
                found.put(forth.getLast(), new String(iterator.value(), UTF_8));
            }
            iterator.status();
            for (iterator.seekToLast(); iterator.isValid(); iterator.prev()) {
                back.add(new String(iterator.key(), UTF_8));
            }
            iterator.status();
        }
        require(forth.equals(new ArrayList<>(found.keySet())), when, "keys are in a wrong order");
        require(forth.equals(back.reversed()), when, "other keys backwards");
        for (FailingModel model : models) {
            List<String> wrong = new ArrayList<>();
            for (String key : model.values.keySet()) {
                byte[] value = db.get(family, key.getBytes(UTF_8));
                String got = value == null ? NONE : new String(value, UTF_8);
                require(got.equals(found.getOrDefault(key, NONE)), when,
                        "another value of " + key + " than an iterator has");
                if (!model.allows(key, got)) {
                    wrong.add(key + " = " + got + ", not " + model.values.get(key));
                }
                found.remove(key);
            }
            require(wrong.isEmpty(), when, wrong.size() + " of " + model.values.size()
                    + " keys are lost or have another value: " + wrong.stream().limit(3).toList());
        }
        found.keySet().removeIf(key -> key.length() < 3);
        require(found.isEmpty(), when, "nobody has written " + found.keySet());
    }

    private static void require(boolean condition, String when, String otherwise) {
        if (!condition) {
            throw new AssertionError(when + ": " + otherwise);
        }
    }
}
