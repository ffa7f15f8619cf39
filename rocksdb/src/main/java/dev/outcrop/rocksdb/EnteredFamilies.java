package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** Several families in use at once, for the time of one native call. */
final class EnteredFamilies implements AutoCloseable {
    private final Deque<Scratch> scratches = new ArrayDeque<>();

    private EnteredFamilies() {
    }

    static EnteredFamilies all(Collection<Family> families) {
        EnteredFamilies entered = new EnteredFamilies();
        try {
            // Their lifetimes alone: the caller has begun what it does with the database.
            families.forEach(family -> entered.scratches.push(family.lifetime.enter()));
            return entered;
        } catch (Throwable e) {
            entered.close();
            throw e;
        }
    }

    /** Takes a lease of each family, for an object that uses all of them. */
    void lease(List<Family> families, DatabaseChild child) {
        // The last one to be entered is on top of the stack.
        Iterator<Scratch> oldestFirst = scratches.descendingIterator();
        families.forEach(family -> family.lifetime.lease(oldestFirst.next(), child));
    }

    @Override
    public void close() {
        while (!scratches.isEmpty()) {
            scratches.pop().close();
        }
    }
}
