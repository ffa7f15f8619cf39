package dev.outcrop.testsupport.misuse;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The last calls of each thread, in a mapped file that can be read after the process has crashed. Each thread writes to its own part, and
 * starts again at the beginning when the part is full:
 *
 * <pre>
 * thread 0: entry 0, entry 1, … entry 31 | thread 1: …
 * entry:    8 bytes number of the call, 4 bytes length of the text, the text
 * </pre>
 */
public final class MisuseTrace {
    private static final int ENTRIES = 32;
    private static final int ENTRY_BYTES = 512;
    private static final int TEXT = 12;
    private static final int LONGEST = 40;

    private final ByteBuffer file;

    public MisuseTrace(Path path, int threads) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) threads * ENTRIES * ENTRY_BYTES);
        }
    }

    /** Records a call before it is made. */
    public void write(int thread, long number, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = Math.min(bytes.length, ENTRY_BYTES - TEXT);
        int at = at(thread, (int) (number % ENTRIES));
        file.putLong(at, number).putInt(at + 8, length).put(at + TEXT, bytes, 0, length);
    }

    /** Returns the last calls. The last call of each thread comes last. */
    public static String read(Path path, int threads) throws IOException {
        MisuseTrace trace = new MisuseTrace(path, threads);
        StringBuilder text = new StringBuilder();
        for (int thread = 0; thread < threads; thread++) {
            text.append("Last calls of thread ").append(thread).append(":\n");
            trace.append(thread, text);
        }
        return text.toString();
    }

    private void append(int thread, StringBuilder text) {
        int last = 0;
        for (int i = 0; i < ENTRIES; i++) {
            if (file.getLong(at(thread, i)) > file.getLong(at(thread, last))) {
                last = i;
            }
        }
        for (int i = 1; i <= ENTRIES; i++) {
            int at = at(thread, (last + i) % ENTRIES);
            byte[] bytes = new byte[Math.clamp(file.getInt(at + 8), 0, ENTRY_BYTES - TEXT)];
            file.get(at + TEXT, bytes);
            if (bytes.length == 0) {
                continue;
            }
            text.append("  ").append(file.getLong(at)).append(' ')
                    .append(new String(bytes, StandardCharsets.ISO_8859_1)).append('\n');
        }
    }

    private static int at(int thread, int entry) {
        return (thread * ENTRIES + entry) * ENTRY_BYTES;
    }

    /** Describes a call in a line. Calls no method of the API, because it might wait. */
    public static String describe(MisuseMethod method, @Nullable Object target, @Nullable Object[] arguments) {
        StringBuilder text = new StringBuilder(120).append(method.name);
        if (target != null) {
            text.append(" of ");
            append(target, text);
        }
        text.append(" (");
        for (Object argument : arguments) {
            append(argument, text);
            text.append(", ");
        }
        return text.append(')').toString();
    }

    private static void append(@Nullable Object value, StringBuilder text) {
        switch (value) {
            case null -> text.append("null");
            case byte[] bytes -> text.append("byte[").append(bytes.length).append(']');
            case MemorySegment segment -> appendSegment(segment, text);
            case ByteBuffer buffer -> text.append(buffer);
            case String string -> text.append('"').append(string, 0, Math.min(LONGEST, string.length())).append('"');
            case Path path -> text.append(path);
            case Number number -> text.append(number);
            case Boolean flag -> text.append(flag);
            case Enum<?> constant -> text.append(constant.name());
            case Collection<?> collection -> appendAll(collection, text);
            default -> text.append(value.getClass().getSimpleName()).append('@')
                    .append(Integer.toHexString(System.identityHashCode(value)));
        }
    }

    private static void appendAll(Collection<?> collection, StringBuilder text) {
        text.append('[');
        Arrays.stream(collection.toArray()).limit(4).forEach(each -> {
            append(each, text);
            text.append(' ');
        });
        text.append(']');
    }

    private static void appendSegment(MemorySegment segment, StringBuilder text) {
        text.append(segment.isMapped() ? "mapped" : segment.isNative() ? "native" : "heap")
                .append(segment.isReadOnly() ? " read-only" : "").append(segment.scope().isAlive() ? "" : " closed")
                .append(segment.isAccessibleBy(Thread.currentThread()) ? "" : " of another thread").append('[')
                .append(segment.byteSize()).append(']');
    }
}
