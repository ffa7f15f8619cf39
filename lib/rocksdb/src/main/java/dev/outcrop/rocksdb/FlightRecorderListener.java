package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.CompactionEvent;
import dev.outcrop.rocksdb.engine.FlushEvent;
import dev.outcrop.rocksdb.engine.WriteStallEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records the background work of a database with JDK Flight Recorder: the events {@code dev.outcrop.Flush}, {@code dev.outcrop.Compaction}
 * and {@code dev.outcrop.WriteStall}, each with its duration. Set a new one for each database: {@code options.addEventListener(new
 * FlightRecorderListener())}. It costs next to nothing without a recording.
 *
 * <p>A flush that fails has no event. A stall has one event for each column family and each degree of the stall.
 */
public final class FlightRecorderListener implements EventListener {
    private final Map<Flush, FlushEvent> flushes = new ConcurrentHashMap<>();
    /** Running compactions by RocksDB's thread, which runs one at a time. */
    private final Map<Long, CompactionEvent> compactions = new ConcurrentHashMap<>();
    /** Running stalls by column family. */
    private final Map<String, WriteStallEvent> stalls = new ConcurrentHashMap<>();

    /**
     * One column family's part of a flush: an atomic flush is one job of one thread for all of them. RocksDB may report the end of a flush
     * when its thread has already begun the next one.
     */
    private record Flush(long thread, int family, int job) {
        static Flush of(FlushJobInfo info) {
            return new Flush(info.threadId(), info.columnFamilyId(), info.jobId());
        }

        boolean isBefore(Flush other) {
            return thread == other.thread && family == other.family && job < other.job;
        }
    }

    /** Makes a listener for one database. */
    public FlightRecorderListener() {
    }

    @Override
    public void onFlushBegin(FlushJobInfo info) {
        FlushEvent event = new FlushEvent();
        event.begin();
        flushes.put(Flush.of(info), event);
    }

    @Override
    public void onFlushCompleted(FlushJobInfo info) {
        Flush flush = Flush.of(info);
        FlushEvent event = flushes.remove(flush);
        // RocksDB reports nothing else about flushes that failed.
        boolean _ = flushes.keySet().removeIf(earlier -> earlier.isBefore(flush));
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                event.columnFamily = info.columnFamilyName();
                event.file = info.filePath();
                event.reason = info.flushReason().name();
                event.slowedWrites = info.triggeredWritesSlowdown();
                event.stoppedWrites = info.triggeredWritesStop();
                event.commit();
            }
        }
    }

    @Override
    public void onCompactionBegin(CompactionJobInfo info) {
        CompactionEvent event = new CompactionEvent();
        event.begin();
        compactions.put(info.threadId(), event);
    }

    @Override
    public void onCompactionCompleted(CompactionJobInfo info) {
        CompactionEvent event = compactions.remove(info.threadId());
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                Status failure = info.status();
                event.columnFamily = info.columnFamilyName();
                event.reason = info.compactionReason().name();
                event.inputLevel = info.baseInputLevel();
                event.outputLevel = info.outputLevel();
                event.inputFiles = info.inputFiles().size();
                event.outputFiles = info.outputFiles().size();
                event.inputSize = info.totalInputBytes();
                event.outputSize = info.totalOutputBytes();
                event.failure = failure == null ? null : failure.toString();
                event.commit();
            }
        }
    }

    @Override
    public void onStallConditionsChanged(WriteStallInfo info) {
        WriteStallEvent ended = stalls.remove(info.columnFamilyName());
        if (ended != null) {
            ended.commit();
        }
        if (info.cur() != WriteStallCondition.NORMAL) {
            WriteStallEvent event = new WriteStallEvent();
            event.columnFamily = info.columnFamilyName();
            event.condition = info.cur().name();
            event.begin();
            stalls.put(info.columnFamilyName(), event);
        }
    }
}
