package dev.outcrop.testsupport.misuse;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The memory of C's heap that RocksDB and Outcrop use: glibc's count (mallinfo2(3), over all arenas) minus the JVM's own memory, which
 * native memory tracking knows. Needs {@code -XX:NativeMemoryTracking=summary} and glibc 2.33 or newer.
 *
 * <p>Unlike the JVM, glibc also counts the head of each chunk and the rounding of its size. The JVM makes some thousand small chunks for
 * each million calls (compiled code, symbols), so these bytes are subtracted for each chunk.
 */
public final class NativeMemory {
    private static final int FIELDS = 10;
    private static final int MAPPED = 4;
    private static final int IN_USE = 7;
    /** The head of a chunk (8 bytes), and the average rounding to a multiple of 16. */
    private static final double BESIDE_A_CHUNK = 15.5;
    private static final Pattern TOTAL = Pattern.compile("Total:[^-]*?malloc: (\\d+)KB #(\\d+)", Pattern.DOTALL);
    private static final Pattern OTHER = Pattern.compile("- +Other \\([^-]*?malloc=(\\d+)KB tag=Other #(\\d+)",
            Pattern.DOTALL);

    private NativeMemory() {
    }

    public static boolean isKnown() {
        return Linker.nativeLinker().defaultLookup().find("mallinfo2").isPresent();
    }

    /** Returns the bytes in use after all unreachable objects have been freed. */
    public static long used() throws InterruptedException {
        return used(6, 100);
    }

    /** Frees unreachable objects in some rounds, and returns the smallest number of bytes in use. */
    public static long used(int rounds, long millisEach) throws InterruptedException {
        long least = Long.MAX_VALUE;
        // Cleaners and automatic arenas free memory on their own threads, some of them only after others.
        for (int round = 0; round < rounds; round++) {
            System.gc();
            Thread.sleep(millisEach);
            least = Math.min(least, usedNow());
        }
        return least;
    }

    private static long usedNow() {
        String summary = summary();
        // "Other" is the memory of our arenas and of the tests' arenas.
        return malloced() - taken(TOTAL, summary) + taken(OTHER, summary);
    }

    @SuppressWarnings("restricted") // a test looks at the C library
    private static long malloced() {
        MemoryLayout mallinfo = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(FIELDS, ValueLayout.JAVA_LONG));
        Linker linker = Linker.nativeLinker();
        MethodHandle function = linker.downcallHandle(linker.defaultLookup().findOrThrow("mallinfo2"),
                FunctionDescriptor.of(mallinfo));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = (MemorySegment) function.invokeExact((SegmentAllocator) arena);
            return info.getAtIndex(ValueLayout.JAVA_LONG, MAPPED) + info.getAtIndex(ValueLayout.JAVA_LONG, IN_USE);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static String summary() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory",
                    new Object[]{new String[]{"summary"}}, new String[]{String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private static long taken(Pattern pattern, String summary) {
        Matcher matcher = pattern.matcher(summary);
        return matcher.find()
                ? 1024 * Long.parseLong(matcher.group(1)) + (long) (BESIDE_A_CHUNK * Long.parseLong(matcher.group(2)))
                : 0;
    }
}
