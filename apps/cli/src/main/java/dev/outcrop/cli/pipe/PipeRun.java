package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Takes one input after another, and shows the rates of both sides. */
final class PipeRun implements AutoCloseable {
    private static final long LOOK_AGAIN = 200;
    /** How long an interrupted run waits for the database. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private final Positions positions;
    private final DatabaseSink sink;
    private final Interruption interruption;
    private final Progress progress;
    private final List<Source> sources = new ArrayList<>();
    private final Rate read = new Rate();
    private final Rate stored = new Rate();
    private double readSeconds;

    /** Shows the progress of inputs. The number of bytes is their total, if it is known. */
    PipeRun(Positions positions, DatabaseSink sink, Interruption interruption, long bytes) {
        this.positions = positions;
        this.sink = sink;
        this.interruption = interruption;
        this.progress = Progress.of("pipe", "bytes", bytes);
    }

    /** Appends a chunk to the queue. */
    void append(byte[] chunk) {
        sink.append(chunk);
        show();
    }

    private void show() {
        long bytes = sources.stream().mapToLong(source -> source.taken().bytes()).sum();
        double in = read.at(taken());
        double out = stored.at(sink.stored());
        progress.at(bytes);
        progress.note(String.format(Locale.ROOT, "%,.0f read/s, %,.0f stored/s", in, out));
    }

    private long taken() {
        return sources.stream().mapToLong(Source::entries).sum();
    }

    /** Takes an input, after the part that was taken before. The part is the last one if the input will not grow. */
    void take(Source source, Position known, boolean isLast) throws IOException {
        sources.add(source);
        // This also ends a waiting read.
        interruption.stopBy(source::stop);
        source.goOn(known);
        source.take(isLast);
        readSeconds = read.seconds();
    }

    /** Returns how far an input was taken in earlier runs. */
    Position known(String family, Source source) {
        return positions.of(family, source.id());
    }

    /** Goes on as files grow, until the command is interrupted. */
    void follow() throws IOException {
        while (!interruption.isRequested()) {
            for (Source source : sources) {
                source.requireSame();
                source.take(false);
            }
            sink.requireAlive();
            show();
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_AGAIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until everything that was taken is in the database. An interrupted run does not wait for long. */
    void drain() {
        long start = System.nanoTime();
        while (!sink.drain()) {
            show();
            if (interruption.isRequested() && System.nanoTime() - start > PATIENCE_NANOS) {
                // Otherwise the summary would be out of date.
                sink.pause();
                return;
            }
        }
    }

    /** Returns the result. Called after the run. */
    PipeSummary summary() {
        progress.close();
        return new PipeSummary(List.copyOf(sources), sink.stored(), sink.refused(),
                taken() + positions.waitingEntries() - sink.stored(), positions.waitingEntries(), taken(),
                readSeconds, stored.seconds());
    }

    @Override
    public void close() throws IOException {
        progress.close();
        for (Source source : sources) {
            source.close();
        }
    }

    /** Measures how fast a number grows, over about the last second and over the whole time. For one thread. */
    private static final class Rate {
        private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
        private final long start = System.nanoTime();
        private long windowStart = start;
        private long windowCount;
        private double recent;

        /** Records the value of the number, and returns its current growth per second. */
        double at(long count) {
            long now = System.nanoTime();
            if (now - windowStart >= SECOND || recent == 0) {
                recent = (count - windowCount) * SECOND / Math.max(1, now - windowStart);
                windowStart = now;
                windowCount = count;
            }
            return recent;
        }

        /** Returns the seconds since the start. */
        double seconds() {
            return Math.max(1, System.nanoTime() - start) / SECOND;
        }
    }
}
