package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.CompactionService.Scheduled;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.CallbackNames;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.GivenValue;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.function.Consumer;

/** How RocksDB calls Java compaction services. It copies and frees what {@link #waitFor} gives it. */
final class CompactionServiceCallbacks implements Upcall {
    private static final MemorySegment SCHEDULE = stub("schedule", CCallbacks.ROCKSDB_COMPACTION_SERVICE_SCHEDULE_CB);
    private static final MemorySegment WAIT = Callbacks.stub(MethodHandles.lookup(), "waitFor", "compactionJob",
            CCallbacks.ROCKSDB_COMPACTION_SERVICE_WAIT_CB);
    private static final MemorySegment CANCEL = stub("cancel",
            CCallbacks.ROCKSDB_COMPACTION_SERVICE_CANCEL_AWAITING_JOBS_CB);
    private static final MemorySegment INSTALLED = stub("installed",
            CCallbacks.ROCKSDB_COMPACTION_SERVICE_ON_INSTALLATION_CB);

    private CompactionServiceCallbacks() {
    }

    /** Makes a {@code rocksdb_compactionservice_t *}, which its receiver owns. */
    static long create(CompactionService service) {
        String name = CallbackNames.check("compaction service", service.name());
        try (Scratch scratch = Native.scratchForCall()) {
            MemorySegment text = Native.in(scratch, name);
            long id = Callbacks.register(service, CallbackKind.COMPACTION_SERVICE, name);
            return CApi.rocksdb_compactionservice_create(id, Callbacks.DESTRUCTOR, SCHEDULE, text, WAIT, CANCEL,
                    INSTALLED);
        }
    }

    static long schedule(RunningCallbacks running, long id, long info, long input, long inputLength) {
        try {
            CompactionServiceJobInfo copy;
            try (Scratch scratch = Native.scratchForCall()) {
                copy = CompactionServiceJobInfo.of(info, scratch);
            }
            byte[] bytes = NativeCalls.view(input, inputLength).toArray(ValueLayout.JAVA_BYTE);
            Scheduled answer = service(id).schedule(copy, bytes);
            try (Scratch scratch = Native.scratchForCall()) {
                // The status is one of the enum's, so there is no error to look at.
                return CApi.rocksdb_compactionservice_scheduleresponse_create(
                        OptionValues.text("The job's name", answer.jobId(), scratch), answer.status().value(),
                        Native.error(scratch));
            }
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            // A failure.
            return 0;
        }
    }

    static int waitFor(RunningCallbacks running, long id, long jobId, long result, long resultLength) {
        GivenValue value = new GivenValue();
        try (Arena call = Arena.ofConfined()) {
            try {
                ValueSink sink = new ValueSink(value, call);
                CompactionServiceJobStatus status = service(id).waitFor(string(jobId), sink);
                int number = status.value();
                if (sink.isSet()) {
                    NativeCalls.writeLong(result, value.give(sink.size(), resultLength));
                }
                return number;
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
            }
        } catch (Throwable e) {
            // Nobody else knows of the value.
            value.drop();
            throw e;
        }
        value.drop();
        return CompactionServiceJobStatus.FAILURE.value();
    }

    static void cancel(RunningCallbacks running, long id) {
        tell(running, id, CompactionService::cancelAwaitingJobs);
    }

    static void installed(RunningCallbacks running, long id, long jobId, int status) {
        tell(running, id,
                service -> service.onInstallation(string(jobId), CompactionServiceJobStatus.of(status)));
    }

    private static void tell(RunningCallbacks running, long id, Consumer<CompactionService> event) {
        try {
            event.accept(service(id));
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    private static CompactionService service(long id) {
        return (CompactionService) Callbacks.of(id).target;
    }

    private static String string(long address) {
        return NativeText.string(address);
    }

    private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Callbacks.stub(MethodHandles.lookup(), method, descriptor);
    }
}
