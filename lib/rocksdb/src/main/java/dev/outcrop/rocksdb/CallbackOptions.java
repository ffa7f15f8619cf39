package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.CompactionService.Scheduled;
import dev.outcrop.rocksdb.WalFilter.Decision;
import dev.outcrop.rocksdb.engine.NativeComparator;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeLogger;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.NativeWalFilter;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.AllocatedValue;
import dev.outcrop.rocksdb.engine.callbacks.Callback;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Options that are callbacks in Java, and the settings that depend on them: the order of keys and the merge operator. */
abstract class CallbackOptions extends OptionsSetters {
    /** The names of the objects that were set, by option, "" for none, because RocksDB's C API has no getters for them. */
    final Map<String, String> objects = new HashMap<>();

    CallbackOptions(LongSupplier create, LongConsumer destroy) {
        super(create, destroy);
    }

    /**
     * Sets the order of the keys. Always open a database with the comparator it was created with.
     *
     * @param comparator the order; RocksDB may call it until these options are unreachable and all databases that were opened with
     *                   them are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name or its size of timestamps
     */
    public synchronized Options comparator(KeyComparator comparator) {
        NativeComparator made = nativeOf(comparator);
        NativeDbOptions.setComparator(owned.address(), made.address());
        // After the call: the object that was kept before may be freed now.
        owned.keep("comparator", made);
        objects.put("comparator", made.checked.name);
        owned.keep("comparator_callbacks", new Callback.Owner(comparator));
        return (Options) this;
    }

    /**
     * Sets how {@link KeyValueWriter#merge merges} are carried out. Always open a database with the operator it was written with; without
     * an operator, the database is not opened.
     *
     * @param operator one of those built into RocksDB
     * @return this
     */
    public Options mergeOperator(MergeOperator operator) {
        return ((Options) this).set("merge_operator=" + operator.id());
    }

    /**
     * Sets the merge operator {@link MergeOperator#UINT64_ADD}.
     *
     * @return this
     */
    @Override
    public Options uint64addMergeOperator() {
        return mergeOperator(MergeOperator.UINT64_ADD);
    }

    /**
     * Sets how {@link KeyValueWriter#merge merges} are carried out, as {@link #mergeOperator(MergeOperator)} does, by an operator
     * in Java.
     *
     * @param function the operator; RocksDB may call it until these options are unreachable and all databases that were opened with
     *                 them are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options mergeOperator(MergeFunction function) {
        CApi.rocksdb_options_set_merge_operator(owned.address(), ValueCallbacks.Merge.create(function));
        objects.put("merge_operator", function.name());
        owned.keep("merge_callbacks", new Callback.Owner(function));
        return (Options) this;
    }

    /**
     * Sets the filter that is called for each entry in a compaction.
     *
     * @param filter the filter; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *               are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options compactionFilter(CompactionFilter filter) {
        ValueCallbacks.Filter made = new ValueCallbacks.Filter(filter);
        CApi.rocksdb_options_set_compaction_filter(owned.address(), made.address());
        owned.keep("compaction_filter", made);
        owned.keep("filter_callbacks", new Callback.Owner(filter));
        return (Options) this;
    }

    /**
     * Sets the factory that makes a filter for each compaction. A filter set by {@link #compactionFilter(CompactionFilter)} takes
     * precedence.
     *
     * @param factory the factory; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *                are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options compactionFilterFactory(CompactionFilterFactory factory) {
        NativeDbOptions.setCompactionFilterFactory(owned.address(), ValueCallbacks.Filter.createFactory(factory));
        owned.keep("filter_factory_callbacks", new Callback.Owner(factory));
        return (Options) this;
    }

    /**
     * Sends RocksDB's messages to a logger, instead of to the file LOG in the database's directory.
     *
     * @param logger where they go
     * @param least  the least important level that is sent
     * @return this
     */
    public synchronized Options infoLog(InfoLogger logger, InfoLogLevel least) {
        return infoLog(loggerOf(logger, least), new Callback.Owner(logger));
    }

    /**
     * Sends RocksDB's messages to the standard error stream, instead of to the file LOG in the database's directory.
     *
     * @param prefix a text in front of each message
     * @param least  the least important level that is sent
     * @return this
     * @throws IllegalArgumentException if there is a NUL character in {@code prefix}
     */
    public synchronized Options infoLogToStandardError(String prefix, InfoLogLevel least) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(least, "least");
        try (Scratch scratch = ApiCall.scratch()) {
            return infoLog(new NativeLogger(least.value(), OptionValues.text("The prefix", prefix, scratch)), "none");
        }
    }

    /** Makes a Java logger RocksDB's. */
    static NativeLogger loggerOf(InfoLogger logger, InfoLogLevel least) {
        int leastLevel = least.value();
        return new NativeLogger(leastLevel, (level, message) -> {
            if (level >= leastLevel) {
                logger.log(InfoLogLevel.of(level), message);
            }
        }, Objects.requireNonNull(logger, "logger"));
    }

    private Options infoLog(NativeLogger logger, Object called) {
        NativeDbOptions.setInfoLog(owned.address(), logger.address());
        owned.keep("info_log", logger);
        owned.keep("logger_callbacks", called);
        return (Options) this;
    }

    /**
     * Adds a listener for flushes, compactions and other background work.
     *
     * @param listener the listener; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *                 are closed
     * @return this
     */
    public synchronized Options addEventListener(EventListener listener) {
        NativeDbOptions.addEventListener(owned.address(), EventCallbacks.create(listener));
        // RocksDB calls all that were added.
        owned.keep("listener_callbacks_" + owned.kept().size(), new Callback.Owner(listener));
        return (Options) this;
    }

    /**
     * Sets the filter of the records of the write-ahead log that are replayed when a database is opened.
     *
     * @param filter the filter
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options walFilter(WalFilter filter) {
        NativeWalFilter made = WalFilterCallback.create(filter);
        NativeDbOptions.setWalFilter(owned.address(), made.address());
        owned.keep("wal_filter", made);
        owned.keep("wal_filter_callbacks", new Callback.Owner(filter));
        return (Options) this;
    }

    /**
     * Sets the service that carries out compactions elsewhere.
     *
     * @param service the service; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *                are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options compactionService(CompactionService service) {
        CApi.rocksdb_options_set_compaction_service(owned.address(), CompactionServiceCallbacks.create(service));
        owned.keep("service_callbacks", new Callback.Owner(service));
        return (Options) this;
    }

    static NativeComparator nativeOf(KeyComparator comparator) {
        return new NativeComparator(new Order(comparator), comparator, comparator.name(), comparator.timestampSize());
    }

    /** A user's comparator as the engine calls it. */
    private record Order(KeyComparator comparator) implements UserComparator {
        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            return comparator.compare(a, b);
        }

        @Override
        public int compareTimestamps(MemorySegment a, MemorySegment b) {
            return comparator.compareTimestamps(a, b);
        }
    }

    /** The comparator in Java, as RocksDB calls it; null if there is none. */
    @Nullable
    synchronized CheckedComparator checkedComparator() {
        NativeComparator inJava = comparatorInJava();
        return inJava == null ? null : inJava.checked;
    }

    /** Whether the comparator is in Java. */
    synchronized boolean hasComparatorInJava() {
        return comparatorInJava() != null;
    }

    synchronized boolean hasWalFilter() {
        return owned.kept().containsKey("wal_filter");
    }

    /** Returns the comparator, if it is in Java; an option string may have set another comparator since, with another name. */
    private @Nullable NativeComparator comparatorInJava() {
        return owned.kept().get("comparator") instanceof NativeComparator inJava
                && inJava.checked.name.equals(objects.get("comparator")) ? inJava : null;
    }

    synchronized boolean hasMergeOperator() {
        return !objects.getOrDefault("merge_operator", "").isEmpty();
    }

    /** The order of the keys. */
    synchronized UserComparator keyOrder() {
        NativeComparator inJava = comparatorInJava();
        if (inJava != null) {
            return inJava.checked;
        }
        return objects.getOrDefault("comparator", "").startsWith("rocksdb.Reverse")
                ? UserComparator.REVERSE_BYTEWISE
                : UserComparator.BYTEWISE;
    }

    /** The size of the timestamp at the end of each key. */
    synchronized int timestampSize() {
        NativeComparator inJava = comparatorInJava();
        if (inJava != null) {
            return inJava.checked.timestampSize;
        }
        return objects.getOrDefault("comparator", "").endsWith(".u64ts") ? Long.BYTES : 0;
    }

    /** The limit of the memory of memtables, or null. */
    @Nullable
    WriteBufferManager writeBufferManager() {
        return (WriteBufferManager) owned.kept().get("write_buffer_manager");
    }

    /** Whether the files are the operating system's, as far as this object knows. */
    boolean hasOwnEnv() {
        return owned.kept().containsKey("env");
    }

    /**
     * Whether the table format can hold the deletion of a range: only the block-based one can. The C API has no getter for the format, but
     * it refuses to change another format as if it were block-based.
     */
    synchronized boolean canDeleteRanges() {
        long changed = NativeDbOptions.create();
        try (Scratch scratch = ApiCall.scratch()) {
            long error = ApiCall.error(scratch);
            NativeDbOptions.parse(owned.address(), ApiCall.in(scratch, "block_based_table_factory={}"), changed, error);
            ApiCall.check(scratch);
            return true;
        } catch (RocksDBException e) {
            return false;
        } finally {
            NativeDbOptions.destroy(changed);
        }
    }

    /** The directory of a database's write-ahead log. */
    Path logDirectory(Path database) {
        return OsPath.directory(walDir(), database);
    }

    /** The comparator's name, as RocksDB stores it. */
    synchronized String comparatorName() {
        return objects.getOrDefault("comparator", "leveldb.BytewiseComparator");
    }

    /** Calls a Java filter of the write-ahead log for RocksDB. */
    private static final class WalFilterCallback implements NativeWalFilter.Filter {
        private final WalFilter filter;

        private WalFilterCallback(WalFilter filter) {
            this.filter = filter;
        }

        /** Makes the native filter. */
        static NativeWalFilter create(WalFilter filter) {
            return new NativeWalFilter(new WalFilterCallback(filter), filter,
                    Callback.requireName("WAL filter", filter.name()));
        }

        @Override
        public void families(Map<Integer, Long> logNumbers, Map<String, Integer> ids) {
            filter.columnFamilyLogNumbers(Collections.unmodifiableMap(logNumbers), Collections.unmodifiableMap(ids));
        }

        @Override
        public int record(Scratch scratch, long logNumber, String file, long batch, long newBatch, long changed) {
            try (Arena call = Arena.ofConfined()) {
                long data = NativeWriteBatch.data(batch, scratch.wordAddress(1));
                Decision decision = filter.logRecordFound(logNumber, file, Callbacks.view(data, scratch.word(1), call),
                        new Replacement(newBatch, call));
                return switch (Objects.requireNonNull(decision, "the WAL filter's decision")) {
                    case KEEP -> CConstants.rocksdb_wal_filter_continue_processing;
                    case REPLACE -> {
                        NativeCalls.writeByte(changed, (byte) 1);
                        yield CConstants.rocksdb_wal_filter_continue_processing;
                    }
                    case IGNORE -> CConstants.rocksdb_wal_filter_ignore_current_record;
                    case STOP_REPLAY -> CConstants.rocksdb_wal_filter_stop_replay;
                    case CORRUPTED -> CConstants.rocksdb_wal_filter_corrupted_record;
                };
            }
        }

        /** Writes into a batch of RocksDB that exists during a call. */
        private record Replacement(long batch, Arena call) implements KeyValueWriter {
            @Override
            public void put(MemorySegment key, MemorySegment value) {
                withTwo(NativeWriteBatch::put, key, value);
            }

            @Override
            public void merge(MemorySegment key, MemorySegment operand) {
                withTwo(NativeWriteBatch::merge, key, operand);
            }

            @Override
            public void deleteRange(MemorySegment begin, MemorySegment end) {
                withTwo(NativeWriteBatch::deleteRange, begin, end);
            }

            @Override
            public void delete(MemorySegment key) {
                withOne(NativeWriteBatch::delete, key);
            }

            @Override
            public void singleDelete(MemorySegment key) {
                withOne(NativeWriteBatch::singleDelete, key);
            }

            private interface WithTwo {
                void call(long batch, MemorySegment first, long firstLength, MemorySegment second, long secondLength);
            }

            private interface WithOne {
                void call(long batch, MemorySegment key, long keyLength);
            }

            private void withTwo(WithTwo function, MemorySegment first, MemorySegment second) {
                requireUsable();
                ApiCall.requireSize(first.byteSize() + second.byteSize());
                try (Scratch scratch = ApiCall.scratchForCall()) {
                    function.call(batch, ApiCall.in(scratch, first), first.byteSize(), ApiCall.in(scratch, second),
                            second.byteSize());
                }
            }

            private void withOne(WithOne function, MemorySegment key) {
                requireUsable();
                ApiCall.requireSize(key.byteSize());
                try (Scratch scratch = ApiCall.scratchForCall()) {
                    function.call(batch, ApiCall.in(scratch, key), key.byteSize());
                }
            }

            private void requireUsable() {
                if (!call.scope().isAlive()) {
                    throw new IllegalStateException(
                            "The WAL filter's call that this replacement belonged to has returned");
                }
                if (!NativeCalls.view(batch, 1, call).isAccessibleBy(Thread.currentThread())) {
                    throw new WrongThreadException("A replacement belongs to the thread of the WAL filter's call");
                }
            }
        }
    }

    /** Calls Java compaction services for RocksDB, which copies and frees the result of {@link #waitFor}. */
    @SuppressWarnings("UnusedMethod") // RocksDB calls them
    private static final class CompactionServiceCallbacks implements Upcall {
        private static final MemorySegment SCHEDULE = stub("schedule",
                CCallbacks.ROCKSDB_COMPACTION_SERVICE_SCHEDULE_CB);
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
            String name = Callback.requireName("compaction service", service.name());
            try (Scratch scratch = ApiCall.scratchForCall()) {
                MemorySegment text = ApiCall.in(scratch, name);
                long id = Callbacks.register(service, CallbackKind.COMPACTION_SERVICE, name);
                return CApi.rocksdb_compactionservice_create(id, Callbacks.DESTRUCTOR, SCHEDULE, text, WAIT, CANCEL,
                        INSTALLED);
            }
        }

        static long schedule(RunningCallbacks running, long id, long info, long input, long inputLength) {
            try {
                CompactionServiceJobInfo copy;
                try (Scratch scratch = ApiCall.scratchForCall()) {
                    copy = CompactionServiceJobInfo.of(info, scratch);
                }
                byte[] bytes = NativeCalls.view(input, inputLength).toArray(ValueLayout.JAVA_BYTE);
                Scheduled answer = service(id).schedule(copy, bytes);
                try (Scratch scratch = ApiCall.scratchForCall()) {
                    // The status is one of the enum's, so there is no error to look at.
                    return CApi.rocksdb_compactionservice_scheduleresponse_create(
                            OptionValues.text("The job's name", answer.jobId(), scratch), answer.status().value(),
                            ApiCall.error(scratch));
                }
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
                // A failure.
                return 0;
            }
        }

        static int waitFor(RunningCallbacks running, long id, long jobId, long result, long resultLength) {
            AllocatedValue value = new AllocatedValue();
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
                // No other code knows the value.
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
            tell(running, id, service -> service.onInstallation(string(jobId), CompactionServiceJobStatus.of(status)));
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
}
