package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A queue with small segments and records of one size, each of which says its offset, for tests that damage it. */
final class Sample {
    static final int SEGMENT_SIZE = 8192;
    static final int LENGTH = 200;
    static final int RECORD = QueueLayout.PAYLOAD + LENGTH;
    /** How many records fit into a segment; 64 bytes are left behind them. */
    static final int PER_SEGMENT = (SEGMENT_SIZE - QueueLayout.HEADER) / RECORD;

    private Sample() {
    }

    static Queue open(Path directory) {
        return Queue.open(directory, new QueueOptions().segmentSize(SEGMENT_SIZE));
    }

    /** Appends records with the offsets up to one, and closes the queue. */
    static void fill(Path directory, int end) {
        try (Queue queue = open(directory)) {
            for (long i = queue.nextOffset(); i < end; i++) {
                queue.append(new Payload(1, i).bytes(LENGTH));
            }
        }
    }

    /** The offsets of all records that a reader finds, each of which is as it was appended. */
    static List<Long> offsets(Path directory) {
        return offsets(directory, LENGTH);
    }

    /** As above, of records of another length. */
    static List<Long> offsets(Path directory, int length) {
        List<Long> offsets = new ArrayList<>();
        try (Tailer tailer = Tailer.open(directory)) {
            while (tailer.poll()) {
                Payload payload = Payload.of(tailer.segment());
                if (!payload.equals(new Payload(1, tailer.offset())) || tailer.segment().byteSize() != length) {
                    throw new AssertionError("record " + tailer.offset() + " is " + payload);
                }
                offsets.add(tailer.offset());
            }
        }
        return offsets;
    }

    /** The segment that begins with an offset. */
    static Path segment(Path directory, long base) {
        return QueueDirectory.segment(directory, base);
    }

    /** The position of a record in its segment. */
    static int position(long offset) {
        return QueueLayout.HEADER + (int) (offset % PER_SEGMENT) * RECORD;
    }

    static void flip(Path file, long position, int bit) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            one.put(0, (byte) (one.get(0) ^ (1 << bit))).flip();
            channel.write(one, position);
        }
    }

    static void zero(Path file, long from, long to) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate((int) (to - from)), from);
        }
    }

    static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    /** All files of the directory and what is below, but for the one with which the queue is locked. */
    static List<Path> files(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).filter(file -> !file.endsWith("lock")).sorted().toList();
        }
    }

    static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            Files.copy(file, target);
        }
        Files.createDirectories(to.resolve("tailers"));
    }
}
