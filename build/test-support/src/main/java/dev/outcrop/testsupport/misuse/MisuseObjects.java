package dev.outcrop.testsupport.misuse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the API in a run, open and closed. Only the latest objects of each type are kept. When a newer object takes the place of
 * an older one, the older one is closed, if necessary by the thread that made it.
 */
public final class MisuseObjects {
    private static final int PLACES = 12;
    private static final int OPEN = 8;

    private final Map<Class<?>, AtomicReferenceArray<@Nullable Object>> byType = new ConcurrentHashMap<>();
    private final Map<Class<?>, AtomicReferenceArray<@Nullable Open>> open = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<Class<?>>> typesOf = new ConcurrentHashMap<>();
    private final List<Class<?>> publicTypes;
    private final List<Queue<AutoCloseable>> left = new ArrayList<>();

    /** An object to be closed, and the thread that made it. */
    private record Open(AutoCloseable object, int thread) {
    }

    public MisuseObjects(List<Class<?>> publicTypes, int threads) {
        this.publicTypes = publicTypes;
        for (int i = 0; i < threads; i++) {
            left.add(new ConcurrentLinkedQueue<>());
        }
    }

    /** Returns an object of a type, which may be closed; null if there has been none. */
    @Nullable
    public Object any(Class<?> type, Random random) {
        if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        AtomicReferenceArray<@Nullable Object> places = byType.get(type);
        if (places == null) {
            return null;
        }
        // At first some places are empty.
        for (int i = 0; i < 4; i++) {
            Object object = places.get(random.nextInt(PLACES));
            if (object != null) {
                return object;
            }
        }
        return null;
    }

    /** Adds the result of a call if it is an object of the API. It will be closed later. */
    public void add(Object object, int thread, Random random) {
        if (show(object, random) && object instanceof AutoCloseable closeable) {
            AtomicReferenceArray<@Nullable Open> places = open.computeIfAbsent(object.getClass(),
                    _ -> new AtomicReferenceArray<>(OPEN));
            if (!contains(places, object)) {
                Open old = places.getAndSet(random.nextInt(OPEN), new Open(closeable, thread));
                if (old != null) {
                    close(old);
                }
            }
        }
    }

    /**
     * Forgets all objects. A callback stays reachable as long as its native object, maybe as long as its options. The callbacks of this run
     * refer to all objects, so they would keep these options and everything else reachable.
     */
    public void forget() {
        byType.clear();
        open.clear();
        left.forEach(Queue::clear);
    }

    /** Adds an object that another object will close. */
    public boolean show(Object object, Random random) {
        List<Class<?>> types = typesOf.computeIfAbsent(object.getClass(), this::publicTypesOf);
        for (Class<?> type : types) {
            byType.computeIfAbsent(type, _ -> new AtomicReferenceArray<>(PLACES)).set(random.nextInt(PLACES), object);
        }
        return !types.isEmpty();
    }

    @SuppressWarnings("ReferenceEquality") // the very same object
    private static boolean contains(AtomicReferenceArray<@Nullable Open> places, Object object) {
        for (int i = 0; i < OPEN; i++) {
            Open each = places.get(i);
            if (each != null && each.object == object) {
                return true;
            }
        }
        return false;
    }

    private List<Class<?>> publicTypesOf(Class<?> type) {
        return publicTypes.stream().filter(each -> each.isAssignableFrom(type)).toList();
    }

    /** Closes the objects of the calling thread. Later threads try to close the rest. */
    public void closeLeft(int thread) {
        Queue<AutoCloseable> mine = left.get(thread);
        for (int i = mine.size(); i > 0; i--) {
            AutoCloseable object = mine.poll();
            if (object != null) {
                close(new Open(object, (thread + 1) % left.size()));
            }
        }
    }

    /** Returns the objects that no thread could close. */
    public List<AutoCloseable> left() {
        return left.stream().flatMap(Queue::stream).toList();
    }

    /** Closes all objects, except those that each thread must close by {@link #closeLeft}. */
    public void closeAll() {
        open.values().forEach(places -> {
            for (int i = 0; i < OPEN; i++) {
                Open object = places.getAndSet(i, null);
                if (object != null) {
                    close(object);
                }
            }
        });
        byType.clear();
    }

    private void close(Open old) {
        try {
            old.object.close();
        } catch (WrongThreadException | IllegalStateException e) {
            // Another thread owns it or has segments of it, or this is inside one of its calls.
            left.get(old.thread).add(old.object);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
