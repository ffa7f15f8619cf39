package dev.outcrop.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Closes objects that virtual threads use with spare scratches, on a single carrier that other threads never leave. Prints the outcome. */
@SuppressWarnings("ThreadPriorityCheck") // tests threads that yield all the time
final class SpareScratchesProgram {
    private static final int OBJECTS = 20;
    private static final int PLATFORM_THREADS = 3;
    /** Enough to make looking through them slow. */
    private static final int SPARES = 4000;
    /** After these, the threads that yield all the time have the carrier. */
    private static final int YIELDS = 1000;

    public static void main(String[] arguments) throws InterruptedException {
        Lifetime other = new Lifetime("other thing", () -> {
        });
        for (int i = 0; i < ScratchTable.MOST_SLABS + SPARES; i++) {
            // Never closed: later calls get spare ones.
            Scratch _ = other.enter();
        }
        List<Lifetime> objects = new ArrayList<>();
        CountDownLatch isUsed = new CountDownLatch(OBJECTS);
        for (int i = 0; i < OBJECTS; i++) {
            Lifetime object = new Lifetime("thing " + i, () -> {
            });
            objects.add(object);
            Thread.ofVirtual().start(() -> use(object, isUsed));
        }
        isUsed.await();
        CountDownLatch isBusy = new CountDownLatch(2 * YIELDS + PLATFORM_THREADS);
        Thread.ofVirtual().start(() -> yieldForEver(isBusy));
        Thread.ofVirtual().start(() -> yieldForEver(isBusy));
        for (int i = 0; i < PLATFORM_THREADS; i++) {
            Thread.ofPlatform().daemon().start(() -> use(other, isBusy));
        }
        isBusy.await();
        String result = "fine";
        for (Lifetime object : objects) {
            Thread closing = Thread.ofPlatform().daemon().start(object::close);
            if (!closing.join(Duration.ofSeconds(60))) {
                result = "hangs: the closer waits for a virtual thread that gets no carrier";
                break;
            }
        }
        System.out.println(result);
        Runtime.getRuntime().halt(0);
    }

    private static void yieldForEver(CountDownLatch isBusy) {
        while (true) {
            isBusy.countDown();
            Thread.yield();
        }
    }

    private static void use(Lifetime object, CountDownLatch isUsed) {
        while (!object.isClosed()) {
            try (Scratch _ = object.enter()) {
                isUsed.countDown();
                Thread.yield();
            } catch (IllegalStateException e) {
                return;
            }
        }
    }
}
