package dev.outcrop.queue;

import dev.outcrop.queue.internal.append.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** For a JVM with one carrier, which is kept busy. Prints the result, and ends in any case. Arguments: what to do, directory. */
@SuppressWarnings("ThreadPriorityCheck") // who yields all the time is what this is about
final class StarvedProgram {
    private static final Duration LONG = Duration.ofSeconds(100);
    private static final int TIMES = 2_000_000;

    private StarvedProgram() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        String result = arguments[0].equals("seek") ? seekInterrupted(Path.of(arguments[1])) : askForTheTime();
        System.out.println(result);
        if (result.startsWith("hangs")) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** The carrier is all that the writer needs, for which the interrupted thread waits. */
    private static String seekInterrupted(Path directory) throws InterruptedException {
        Queue queue = Queue.open(directory);
        ConsumerGroup group = queue.group("group");
        CountDownLatch isWriting = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch isSeeking = new CountDownLatch(1);
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Thread writer = Thread.ofVirtual().start(() -> queue.append(1, _ -> {
            isWriting.countDown();
            await(mayGoOn);
        }));
        isWriting.await();
        Thread seeker = Thread.ofVirtual().start(() -> {
            isSeeking.countDown();
            Thread.currentThread().interrupt();
            group.seek(1);
            isInterrupted.set(Thread.currentThread().isInterrupted());
        });
        isSeeking.await();
        mayGoOn.countDown();
        if (!writer.join(LONG) || !seeker.join(LONG)) {
            return "hangs: the seek keeps the carrier";
        }
        queue.close();
        return isInterrupted.get() ? "fine" : "lost the interrupt";
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A thread that goes on to the next file asks for the time: waiting for a virtual thread then would hold up all who append. */
    private static String askForTheTime() throws InterruptedException {
        Clock clock = new Clock(0);
        AtomicBoolean isOver = new AtomicBoolean();
        for (int i = 0; i < 3; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                while (!isOver.get()) {
                    clock.millis();
                }
            });
        }
        Thread asking = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < TIMES; i++) {
                if (i % 1000 == 0) {
                    // So that the others are there.
                    Thread.yield();
                }
                clock.millis();
            }
        });
        for (int i = 0; i < 2; i++) {
            Thread.ofVirtual().start(() -> {
                while (!isOver.get()) {
                    Thread.yield();
                }
            });
        }
        if (!asking.join(LONG)) {
            return "hangs: a thread that asks for the time does not get the carrier again";
        }
        isOver.set(true);
        return "fine";
    }
}
