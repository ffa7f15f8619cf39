package dev.outcrop.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one or several processes, one after the other, made to the files of a {@link WatchedDisk}: a sequence of events, and what the files
 * held at each of them. {@code disk.c} says how it is written down. {@link PowerCut} makes of it what a disk may hold after the power was
 * cut at one of the events.
 */
final class DiskTrace {
    static final int SECTOR = 512;

    private final Path root;
    private final List<Event> events = new ArrayList<>();
    private final List<TracedFile> files = new ArrayList<>();
    private final Map<String, Integer> directories = new HashMap<>();
    /** The names that files have while the trace is read. */
    private final Map<String, TracedFile> names = new HashMap<>();
    /** The files by their numbers in the process that is being read about. */
    private final List<TracedFile> numbered = new ArrayList<>();
    private int initial;
    /** The number that is added to the syncs of that process, and the first unused one. */
    private int syncBase;
    private int nextSync;

    /**
     * One event.
     *
     * @param kind as in {@code disk.c}
     * @param sync which sync it begins or ends
     * @param file that it is about; null if it is not about a file
     * @param from first sector of a sync
     * @param to   behind the last sector of a sync
     * @param text a mark, or a path relative to the root
     */
    record Event(char kind, int sync, @Nullable TracedFile file, long from, long to, String text) {
    }

    /** The values that something had, with the event that began each. */
    static final class History<T> {
        private final List<Integer> since = new ArrayList<>();
        private final List<T> values = new ArrayList<>();

        void add(int event, T value) {
            since.add(event);
            values.add(value);
        }

        /** The index of the value at an event, or -1. */
        int at(int event) {
            int low = 0;
            int high = since.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (since.get(middle) <= event) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low - 1;
        }

        T value(int index) {
            return values.get(index);
        }

        int since(int index) {
            return since.get(index);
        }
    }

    /** A file with any names. */
    static final class TracedFile {
        final int id;
        final List<History<byte[]>> sectors = new ArrayList<>();
        final History<Long> sizes = new History<>();
        /** Relative to the root; empty once it is deleted. */
        final History<String> names = new History<>();

        TracedFile(int id) {
            this.id = id;
        }

        History<byte[]> sector(int index) {
            while (sectors.size() <= index) {
                sectors.add(new History<>());
            }
            return sectors.get(index);
        }

        @Override
        public String toString() {
            return "file " + id;
        }
    }

    private DiskTrace(Path root) {
        this.root = root;
    }

    static DiskTrace read(WatchedDisk disk) throws IOException {
        DiskTrace trace = new DiskTrace(disk.root);
        try (FileChannel channel = FileChannel.open(disk.trace, StandardOpenOption.READ)) {
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                    .order(ByteOrder.nativeOrder());
            while (bytes.hasRemaining()) {
                trace.readEntry(bytes);
            }
        }
        return trace;
    }

    private void readEntry(ByteBuffer bytes) {
        char kind = (char) bytes.get();
        switch (kind) {
            case 'S' -> {
                History<byte[]> sector = file(bytes.getInt()).sector(bytes.getInt());
                byte[] content = new byte[SECTOR];
                bytes.get(content);
                sector.add(events.size(), content);
            }
            case 'Z' -> file(bytes.getInt()).sizes.add(events.size(), bytes.getLong());
            case 'd', 'D' -> {
                String path = path(bytes);
                if (path.isEmpty()) {
                    // A process begins, the first or another one.
                    numbered.clear();
                    syncBase = nextSync;
                }
                directories.putIfAbsent(path, events.size());
                add(kind, null, path);
            }
            case 'I', 'C' -> {
                requireNext(bytes.getInt());
                String path = path(bytes);
                TracedFile known = kind == 'I' ? names.get(path) : null;
                TracedFile file = known == null ? new TracedFile(files.size()) : known;
                numbered.add(file);
                if (known == null) {
                    files.add(file);
                    name(file, path);
                }
                add(kind, file, path);
            }
            case 'R' -> {
                TracedFile file = file(bytes.getInt());
                String from = path(bytes);
                String to = path(bytes);
                TracedFile replaced = names.get(to);
                if (replaced != null && replaced != file) {
                    replaced.names.add(events.size(), "");
                }
                names.remove(from, file);
                name(file, to);
                add(kind, file, to);
            }
            case 'U' -> {
                TracedFile file = file(bytes.getInt());
                String path = path(bytes);
                names.remove(path, file);
                file.names.add(events.size(), "");
                add(kind, file, path);
            }
            case 'B' -> {
                int sync = syncBase + bytes.getInt();
                nextSync = sync + 1;
                int id = bytes.getInt();
                long from = bytes.getLong();
                long to = bytes.getLong();
                events.add(new Event(kind, sync, id == -1 ? null : file(id), from, to, path(bytes)));
            }
            case 'E', 'F' -> events.add(new Event(kind, syncBase + bytes.getInt(), null, 0, 0, ""));
            case 'M' -> add(kind, null, text(bytes));
            case 'P', 'i' -> add(kind, null, "");
            default -> throw new AssertionError("'" + kind + "' in a trace, after " + events.size() + " events");
        }
        if (kind == 'i' && initial == 0) {
            initial = events.size();
        }
    }

    private void requireNext(int number) {
        if (number != numbered.size()) {
            throw new AssertionError("file " + number + " in a trace, after " + numbered.size() + " files");
        }
    }

    private void add(char kind, @Nullable TracedFile file, String text) {
        events.add(new Event(kind, -1, file, 0, 0, text));
    }

    private TracedFile file(int number) {
        return numbered.get(number);
    }

    private void name(TracedFile file, String path) {
        file.names.add(events.size(), path);
        names.put(path, file);
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[bytes.getInt()];
        bytes.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Relative to the root, which is the empty path. */
    private String path(ByteBuffer bytes) {
        return root.relativize(Path.of(text(bytes))).toString();
    }

    List<Event> events() {
        return events;
    }

    List<TracedFile> files() {
        return files;
    }

    /** The directories in the root, and itself, with the events that made them. */
    Map<String, Integer> directories() {
        return directories;
    }

    /** How many events describe the start; no power cut before. */
    int initial() {
        return initial;
    }

    /** Which event begins each sync. */
    Map<Integer, Integer> syncs() {
        Map<Integer, Integer> begins = new HashMap<>();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).kind() == 'B') {
                begins.put(events.get(i).sync(), i);
            }
        }
        return begins;
    }

    /** The directory that a path is in. */
    static String parent(String path) {
        return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
    }

    /** For messages: the last events up to one. */
    String tail(int cut, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = Math.max(0, cut - count); i <= cut; i++) {
            Event event = Objects.requireNonNull(events.get(i));
            text.append(i).append(' ').append(event.kind()).append(' ').append(event.sync()).append(' ')
                    .append(event.file()).append(' ').append(event.from()).append('-').append(event.to()).append(' ')
                    .append(event.text()).append('\n');
        }
        return text.toString();
    }
}
