package dev.outcrop.rocksdb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The databases that are open in native memory, also those that nobody in Java knows any more: what they call and point to must stay
 * reachable until they are closed.
 */
final class OpenStores {
    private static final Set<Store> OPEN = ConcurrentHashMap.newKeySet();

    private OpenStores() {
    }

    static void add(Store store) {
        OPEN.add(store);
    }

    static void remove(Store store) {
        OPEN.remove(store);
    }

    static boolean contains(Store store) {
        return OPEN.contains(store);
    }

    /** Whether one is open whose threads may call Java. */
    static boolean callBack() {
        return OPEN.stream().anyMatch(Store::callsBack);
    }

    /** Stops the background work of all whose threads may call Java. */
    static void stopCallbacks() {
        OPEN.stream().filter(Store::callsBack).forEach(Store::stopBackgroundWork);
    }
}
