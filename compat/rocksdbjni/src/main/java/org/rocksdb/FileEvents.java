package org.rocksdb;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Passes operations on files to listeners, in order, in one thread for all listeners. RocksDB itself reports an operation in the middle of
 * a read or a write. There, a read by a listener would use freed memory, and a write or a snapshot would wait for itself.
 */
final class FileEvents {

    /** If more events are waiting, a thread of RocksDB waits a little for each event: the listeners are slower than the disk. */
    private static final int MOST_WAITING = 10_000;
    private static final long IDLE_SECONDS = 10;

    private static final ThreadPoolExecutor TELLER = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), FileEvents::thread);

    private static volatile boolean hasTold;

    static {
        TELLER.allowCoreThreadTimeOut(true);
    }

    private FileEvents() {
    }

    /** The thread of the listeners. It ends when there are no events. */
    private static final class Teller extends Thread {
        Teller(Runnable work) {
            super(work, "outcrop-file-events");
            setDaemon(true);
        }
    }

    private static Thread thread(Runnable work) {
        return new Teller(work);
    }

    /** Passes an operation to a listener later. */
    static void tell(DatabaseListener open, BiConsumer<EventListener, FileOperationInfo> told, FileOperationInfo info) {
        if (TELLER.getQueue().size() > MOST_WAITING && !isTeller()) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        hasTold = true;
        TELLER.execute(() -> open.use(listener -> told.accept(listener, info)));
    }

    /** Waits until all events are passed on, unless a listener itself is the caller. */
    static void await() {
        if (!hasTold || isTeller()) {
            return;
        }
        Future<?> last = TELLER.submit(() -> {
        });
        boolean isInterrupted = false;
        while (true) {
            try {
                Object _ = last.get();
                break;
            } catch (InterruptedException e) {
                isInterrupted = true;
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isTeller() {
        return Thread.currentThread() instanceof Teller;
    }
}
