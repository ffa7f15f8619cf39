package dev.outcrop.jruby;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A page behind the head's: one that was read to its end, or one that a background thread creates and touches while the head's is being
 * filled. For pages of 100 MiB and records of 1 KiB, the page faults of a new file cost as much as everything else that a push does.
 */
final class NextPage {
    /** Smaller pages are made faster than a thread is told to. */
    static final int WORTH_IT = 1 << 20;

    private static final int OS_PAGE = 4096;
    /** One thread for all queues, which ends when it has been idle for a while. */
    private static final ThreadPoolExecutor THREAD = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> Thread.ofPlatform().daemon().name("outcrop-pages").unstarted(task));

    static {
        THREAD.allowCoreThreadTimeOut(true);
    }

    private final long page;
    private final Path file;
    private final CompletableFuture<Mapping> mapping;
    private volatile boolean isWanted;

    NextPage(long page, Path file, int pageSize) {
        this.page = page;
        this.file = file;
        this.mapping = CompletableFuture.supplyAsync(() -> prepare(pageSize), THREAD);
    }

    /** A page that was left, and whose file has its new name: its space is there, and its memory was touched. */
    NextPage(long page, Path file, Mapping left) {
        this.page = page;
        this.file = file;
        this.mapping = CompletableFuture.completedFuture(left);
    }

    private Mapping prepare(int pageSize) {
        try {
            Mapping prepared = PageFile.create(file, pageSize);
            for (int at = 0; at <= pageSize - Integer.BYTES - OS_PAGE && !isWanted; at += OS_PAGE) {
                prepared.putInt(at, 0);
            }
            return prepared;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unmaps a page whose file is gone, which frees its space and takes as long as touching it. */
    static void unmapLater(Mapping left) {
        THREAD.execute(left::close);
    }

    long page() {
        return page;
    }

    /** The page, from now on the caller's; null if it could not be made, and the caller will find out why. */
    @Nullable
    Mapping take() {
        isWanted = true;
        try {
            return mapping.join();
        } catch (CompletionException e) {
            return null;
        }
    }

    /** Unmaps it, unused; its file stays. */
    void close() {
        Mapping unused = take();
        if (unused != null) {
            unused.close();
        }
    }
}
