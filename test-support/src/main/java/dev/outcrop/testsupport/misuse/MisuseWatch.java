package dev.outcrop.testsupport.misuse;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Ends the process, with the stacks of all threads, if a call does not return. */
public final class MisuseWatch {
    private static final long LONGEST_CALL_NANOS = 40_000_000_000L;

    private final AtomicLong[] since;

    public MisuseWatch(int threads) {
        since = Stream.generate(AtomicLong::new).limit(threads).toArray(AtomicLong[]::new);
    }

    public void start() {
        Thread.ofPlatform().daemon().name("watch").start(this::watch);
    }

    public void begin(int thread) {
        since[thread].set(System.nanoTime());
    }

    public void end(int thread) {
        since[thread].set(0);
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(1000);
                for (int i = 0; i < since.length; i++) {
                    long start = since[i].get();
                    if (start != 0 && System.nanoTime() - start > LONGEST_CALL_NANOS) {
                        System.out.println("HANGS: thread " + i);
                        Thread.getAllStackTraces().forEach(MisuseWatch::print);
                        Runtime.getRuntime().halt(3);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void print(Thread thread, StackTraceElement[] stack) {
        System.out.println(thread);
        for (StackTraceElement element : stack) {
            System.out.println("    " + element);
        }
    }
}
