package dev.outcrop.testsupport.misuse;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Ends the process if a call does not return or takes memory without end. Prints the stacks of all threads first. */
public final class MisuseWatch {
    /** Counts only seconds in which the process ran: it may have been stopped for longer. Closing all databases is one call. */
    private static final long LONGEST_CALL = ChildJvm.MOST_SECONDS / 2;

    private static final long MOST_BYTES = 5L << 30;
    /** The second number is the count of pages in memory; only Linux has it. */
    private static final Path PAGES = Path.of("/proc/self/statm");
    private static final long PAGE_BYTES = 4096;

    /** For each thread, the second in which its call began; 0 if none is running. */
    private final AtomicLong[] since;
    /** Only the watch increments it. */
    private final AtomicLong second = new AtomicLong(1);

    public MisuseWatch(int threads) {
        since = Stream.generate(AtomicLong::new).limit(threads).toArray(AtomicLong[]::new);
    }

    public void start() {
        Thread.ofPlatform().daemon().name("watch").start(this::watch);
    }

    public void begin(int thread) {
        since[thread].set(second.get());
    }

    public void end(int thread) {
        since[thread].set(0);
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(1000);
                second.incrementAndGet();
                if (Files.exists(PAGES) && residentBytes() > MOST_BYTES) {
                    end("TAKES ALL MEMORY: " + residentBytes() + " bytes");
                }
                for (int i = 0; i < since.length; i++) {
                    long start = since[i].get();
                    if (start != 0 && second.get() - start > LONGEST_CALL) {
                        end("HANGS: thread " + i);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long residentBytes() throws IOException {
        return PAGE_BYTES * Long.parseLong(Files.readString(PAGES).split(" ", -1)[1]);
    }

    private static void end(String reason) {
        System.out.println(reason);
        Thread.getAllStackTraces().forEach(MisuseWatch::print);
        Runtime.getRuntime().halt(3);
    }

    private static void print(Thread thread, StackTraceElement[] stack) {
        System.out.println(thread);
        for (StackTraceElement element : stack) {
            System.out.println("    " + element);
        }
    }
}
