package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Settings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The limit: copies arrays into a mapped file, from its start to its end, over and over. */
final class CopyRun {
    private final MemorySegment file;

    private CopyRun(MemorySegment file) {
        this.file = file;
    }

    /** A program of its own. */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(Settings.text("directory"));
        Path path = Files.createDirectories(directory).resolve("file");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE); Arena arena = Arena.ofShared()) {
            // As the programs in Ruby prepare it.
            ByteBuffer zeros = ByteBuffer.allocate(1 << 20);
            for (int at = 0; at < Settings.number("fileBytes"); at += zeros.capacity()) {
                int _ = channel.write(zeros.clear(), at);
            }
            MemorySegment file = channel.map(FileChannel.MapMode.READ_WRITE, 0, Settings.number("fileBytes"), arena);
            new CopyRun(file).run();
        } finally {
            Directories.delete(directory);
        }
    }

    private void run() {
        List<Integer> sizes = Stream.of(Settings.text("sizes").split(",", -1)).map(Integer::valueOf).toList();
        long finish = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Settings.number("warmupMillis"));
        do {
            sizes.forEach(this::pass);
        } while (System.nanoTime() < finish);
        for (int i = 0; i < Settings.number("iterations"); i++) {
            Map<String, Double> figures = new LinkedHashMap<>();
            (i % 2 == 0 ? sizes : sizes.reversed()).forEach(size -> figures.put(size.toString(), pass(size)));
            System.out.println(FigureProbe.line(figures));
        }
    }

    /** Returns the nanoseconds that a copy takes. */
    private double pass(int size) {
        byte[] bytes = new byte[size];
        long start = System.nanoTime();
        for (long at = 0; at <= file.byteSize() - size; at += size) {
            MemorySegment.copy(bytes, 0, file, ValueLayout.JAVA_BYTE, at, size);
        }
        long copies = file.byteSize() / size;
        return (double) (System.nanoTime() - start) / copies;
    }
}
