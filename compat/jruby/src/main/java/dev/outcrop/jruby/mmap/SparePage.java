package dev.outcrop.jruby.mmap;

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
 * A page that will follow the head's page. It is a page that was read to its end, or a new page that a background thread touches while the
 * head's page is being filled. For pages of 100 MiB and records of 1 KiB, the page faults of a new file cost as much as everything else
 * that a push does.
 */
final class SparePage {
    /** Creating a smaller page takes less time than handing it to a thread. */
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
    private final CompletableFuture<FileMapping> mapping;
    private volatile boolean isWanted;

    SparePage(long page, Path file, int pageSize) {
        this.page = page;
        this.file = file;
        this.mapping = CompletableFuture.supplyAsync(() -> prepare(pageSize), THREAD);
    }

    /** Reuses a page that was read to its end and renamed. Its space is reserved, and its memory was touched before. */
    SparePage(long page, Path file, FileMapping left) {
        this.page = page;
        this.file = file;
        this.mapping = CompletableFuture.completedFuture(left);
    }

    private FileMapping prepare(int pageSize) {
        try {
            FileMapping prepared = PageFile.create(file, pageSize);
            for (int at = 0; at <= pageSize - Integer.BYTES - OS_PAGE && !isWanted; at += OS_PAGE) {
                prepared.putInt(at, 0);
            }
            return prepared;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unmaps a page after its file was deleted. This frees the space of the file, and takes as long as touching the page. */
    static void unmapLater(FileMapping left) {
        THREAD.execute(left::close);
    }

    long page() {
        return page;
    }

    /** Returns the page, which then belongs to the caller; null if the page could not be made. The caller will find out why. */
    @Nullable
    FileMapping take() {
        isWanted = true;
        try {
            return mapping.join();
        } catch (CompletionException e) {
            return null;
        }
    }

    /** Unmaps the unused page. Its file stays. */
    void close() {
        FileMapping unused = take();
        if (unused != null) {
            unused.close();
        }
    }
}
