package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.CompactionService.Scheduled;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.function.Consumer;

/** How RocksDB calls Java compaction services. It copies and frees what {@link #waitFor} gives it. */
final class CompactionServiceCallbacks implements Upcall {
    private static final MemorySegment SCHEDULE = stub("schedule", CCallbacks.ROCKSDB_COMPACTION_SERVICE_SCHEDULE_CB);
    private static final MemorySegment WAIT = stub("waitFor", CCallbacks.ROCKSDB_COMPACTION_SERVICE_WAIT_CB);
    private static final MemorySegment CANCEL = stub("cancel",
            CCallbacks.ROCKSDB_COMPACTION_SERVICE_CANCEL_AWAITING_JOBS_CB);
    private static final MemorySegment INSTALLED = stub("installed",
            CCallbacks.ROCKSDB_COMPACTION_SERVICE_ON_INSTALLATION_CB);

    private CompactionServiceCallbacks() {
    }

    /** Makes a {@code rocksdb_compactionservice_t *}, which whoever it is given to owns. */
    static long create(CompactionService service) {
        String name = CallbackNames.check("compaction service", service.name());
        try (Scratch scratch = Native.scratch()) {
            MemorySegment text = Native.in(scratch, name);
            long id = Callbacks.register(service, "compaction service", name);
            return CApi.rocksdb_compactionservice_create(id, Callbacks.DESTRUCTOR, SCHEDULE, text, WAIT, CANCEL,
                    INSTALLED);
        }
    }

    static long schedule(long id, long info, long input, long inputLength) {
        try {
            try {
                CompactionServiceJobInfo copy;
                try (Scratch scratch = Native.scratch()) {
                    copy = CompactionServiceJobInfo.of(info, scratch);
                }
                byte[] bytes = NativeCalls.view(input, inputLength).toArray(ValueLayout.JAVA_BYTE);
                Scheduled answer = service(id).schedule(copy, bytes);
                try (Scratch scratch = Native.scratch()) {
                    // The status is one of the enum's, so there is no error to look at.
                    return CApi.rocksdb_compactionservice_scheduleresponse_create(
                            OptionValues.text("The job's name", answer.jobId(), scratch), answer.status().value(),
                            Native.error(scratch));
                }
            } catch (Throwable e) {
                CallbackFailures.add(id, e);
                return 0;
            }
        } catch (Throwable e) {
            // No stack or no memory left to report it; an exception would end the JVM. NULL is a failure.
            return 0;
        }
    }

    static int waitFor(long id, long jobId, long result, long resultLength) {
        GivenValue value = new GivenValue();
        try (Arena call = Arena.ofConfined()) {
            try {
                ValueSink sink = new ValueSink(value, call);
                CompactionServiceJobStatus status = service(id).waitFor(string(jobId), sink);
                int number = status.value();
                if (sink.isSet()) {
                    NativeCalls.view(result, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, value.give(sink, resultLength));
                }
                return number;
            } catch (Throwable e) {
                CallbackFailures.add(id, e);
            }
        } catch (Throwable e) {
            // No stack or no memory left to report it; an exception would end the JVM.
        }
        value.drop();
        return CompactionServiceJobStatus.FAILURE.value();
    }

    static void cancel(long id) {
        tell(id, CompactionService::cancelAwaitingJobs);
    }

    static void installed(long id, long jobId, int status) {
        tell(id, service -> service.onInstallation(string(jobId), CompactionServiceJobStatus.of(status)));
    }

    private static void tell(long id, Consumer<CompactionService> event) {
        try {
            try {
                event.accept(service(id));
            } catch (Throwable e) {
                CallbackFailures.add(id, e);
            }
        } catch (Throwable e) {
            // As above.
        }
    }

    private static CompactionService service(long id) {
        return (CompactionService) Callbacks.of(id).target;
    }

    private static String string(long address) {
        return NativeCalls.view(address, Long.MAX_VALUE).getString(0);
    }

    private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Callbacks.stub(MethodHandles.lookup(), method, descriptor);
    }
}
