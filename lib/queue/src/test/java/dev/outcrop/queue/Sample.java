package dev.outcrop.queue;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

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

    /** Without a background thread, so that files are given back exactly when records are acknowledged. */
    static QueueOptions inForeground() {
        return new QueueOptions().segmentSize(SEGMENT_SIZE).backgroundThread(false);
    }

    /** Appends records with the offsets up to one, and closes the queue. */
    static void fill(Path directory, int end) {
        try (Queue queue = open(directory)) {
            append(queue, end);
        }
    }

    /** Appends records with the offsets up to one. */
    static void append(Queue queue, long end) {
        append(queue, end, LENGTH);
    }

    /** As above, records of another length. */
    static void append(Queue queue, long end, int length) {
        for (long i = queue.nextOffset(); i < end; i++) {
            queue.append(Payloads.of(1, i, length));
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
                Payloads.Id payload = Payloads.intact(tailer.segment());
                if (!payload.equals(new Payloads.Id(1, tailer.offset())) || tailer.segment().byteSize() != length) {
                    throw new AssertionError("record " + tailer.offset() + " is " + payload);
                }
                offsets.add(tailer.offset());
            }
        }
        return offsets;
    }

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
        write(file, from, ByteBuffer.allocate((int) (to - from)));
    }

    static void write(Path file, long position, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(bytes, position);
        }
    }

    /** Makes a file longer, with a hole. */
    static void extend(Path file, long size) throws IOException {
        try (RandomAccessFile extended = new RandomAccessFile(file.toFile(), "rw")) {
            extended.setLength(size);
        }
    }

    static void truncate(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    /** The files of a directory with an ending, in the order of their names. */
    static List<Path> files(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    /** Makes a segment's header say that it begins with another offset. */
    static void rebase(Path segment, long offset) throws IOException {
        try (MappedFile file = MappedFile.open(segment)) {
            SegmentHeader header = Objects.requireNonNull(SegmentHeader.read(file.memory()));
            new SegmentHeader(header.queueId(), header.generation(), offset, header.segmentSize(), header.created())
                    .write(file.memory());
        }
    }

    /** All files of the directory and what is below, but for the one with which the queue is locked. */
    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
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

    /** Copies what a kill -9 would leave at this moment: again if the background thread has renamed files meanwhile. */
    static Path afterKill(Path queue, Path copies) throws IOException {
        for (int attempt = 0;; attempt++) {
            Path copy = copies.resolve("attempt-" + attempt);
            try {
                List<Path> files = files(queue);
                copy(queue, copy);
                if (files(queue).equals(files)) {
                    return copy;
                }
            } catch (NoSuchFileException | UncheckedIOException e) {
                Thread.onSpinWait();
            }
        }
    }

    static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
