package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Takes one input after the other, and shows how fast both sides are. */
final class PipeRun implements AutoCloseable {
    private static final long LOOK_AGAIN = 200;
    /** How long one that is interrupted waits for the database. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private final Positions positions;
    private final Outlet outlet;
    private final Interruption interruption;
    private final Progress progress;
    private final List<Source> sources = new ArrayList<>();
    private final Rate read = new Rate();
    private final Rate stored = new Rate();
    private double readSeconds;

    /** Of inputs that have so many bytes, if that is known. */
    PipeRun(Positions positions, Outlet outlet, Interruption interruption, long bytes) {
        this.positions = positions;
        this.outlet = outlet;
        this.interruption = interruption;
        this.progress = Progress.of("pipe", "bytes", bytes);
    }

    /** Has the queue take a chunk. */
    void append(byte[] chunk) {
        outlet.append(chunk);
        show();
    }

    private void show() {
        long bytes = sources.stream().mapToLong(source -> source.taken().position()).sum();
        double in = read.at(taken());
        double out = stored.at(outlet.stored());
        progress.at(bytes);
        progress.note(String.format(Locale.ROOT, "%,.0f read/s, %,.0f stored/s", in, out));
    }

    private long taken() {
        return sources.stream().mapToLong(Source::entries).sum();
    }

    /**
     * Takes an input, behind what was taken before.
     *
     * @param isLast whether it has all that it will have
     */
    void take(Source source, Mark known, boolean isLast) throws IOException {
        sources.add(source);
        // Also a read that waits without end.
        interruption.stopBy(source::stop);
        source.goOn(known);
        source.take(isLast);
        readSeconds = read.seconds();
    }

    /** How far an input was taken in other runs. */
    Mark known(String family, Source source) {
        return positions.of(family, source.id());
    }

    /** Goes on as files grow, until this is interrupted. */
    void follow() throws IOException {
        while (!interruption.isRequested()) {
            for (Source source : sources) {
                source.requireSame();
                source.take(false);
            }
            outlet.requireAlive();
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

    /** Waits until all that was taken is in the database; for one that is interrupted, not for long. */
    void drain() {
        long start = System.nanoTime();
        while (!outlet.drain()) {
            show();
            if (interruption.isRequested() && System.nanoTime() - start > PATIENCE_NANOS) {
                return;
            }
        }
    }

    /** What has come of it, once nothing more does. */
    PipeSummary summary() {
        progress.close();
        return new PipeSummary(List.copyOf(sources), outlet.stored(), outlet.refused(),
                taken() + positions.waitingEntries() - outlet.stored(), positions.waitingEntries(), taken(),
                readSeconds, stored.seconds());
    }

    @Override
    public void close() throws IOException {
        progress.close();
        for (Source source : sources) {
            source.close();
        }
    }
}
