package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeComparator;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeLogger;
import dev.outcrop.rocksdb.engine.NativeWalFilter;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.CalledObject;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.KeyOrder;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What RocksDB calls in Java, and what depends on that: the order of keys and how merges are carried out. */
abstract class CallbackOptions extends OptionsSetters {
    /** The names of the objects that were set, by option, "" for none: RocksDB's C API does not tell. */
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
        NativeComparator made = ComparatorOrder.nativeOf(comparator);
        NativeDbOptions.setComparator(owned.address(), made.address());
        // After the call: what was kept before may be freed now.
        owned.keep("comparator", made);
        objects.put("comparator", made.checked.name);
        owned.keep("comparator_callbacks", new CalledObject(comparator));
        return (Options) this;
    }

    /**
     * Sets how {@link KeyValueWriter#merge merges} are carried out. Always open a database with the operator it was written with;
     * without any it is not opened.
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
        CApi.rocksdb_options_set_merge_operator(owned.address(), MergeCallbacks.create(function));
        objects.put("merge_operator", function.name());
        owned.keep("merge_callbacks", new CalledObject(function));
        return (Options) this;
    }

    /**
     * Sets what looks at each entry while it is compacted.
     *
     * @param filter the filter; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *               are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options compactionFilter(CompactionFilter filter) {
        NativeCompactionFilter made = new NativeCompactionFilter(filter);
        CApi.rocksdb_options_set_compaction_filter(owned.address(), made.address());
        owned.keep("compaction_filter", made);
        owned.keep("filter_callbacks", new CalledObject(filter));
        return (Options) this;
    }

    /**
     * Sets what makes a filter for each compaction. A filter that is set by {@link #compactionFilter(CompactionFilter)} goes before.
     *
     * @param factory the factory; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *                are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options compactionFilterFactory(CompactionFilterFactory factory) {
        NativeDbOptions.setCompactionFilterFactory(owned.address(),
                NativeCompactionFilter.createFactory(factory));
        owned.keep("filter_factory_callbacks", new CalledObject(factory));
        return (Options) this;
    }

    /**
     * Sends RocksDB's messages to a logger, instead of to the file LOG in the database's directory.
     *
     * @param logger where they go
     * @param least  the least important ones that are sent
     * @return this
     */
    public synchronized Options infoLog(InfoLogger logger, InfoLogLevel least) {
        return infoLog(loggerOf(logger, least), new CalledObject(logger));
    }

    /**
     * Sends RocksDB's messages to the standard error stream, instead of to the file LOG in the database's directory.
     *
     * @param prefix what each line has in front of the message
     * @param least  the least important ones that are sent
     * @return this
     * @throws IllegalArgumentException if there is a NUL character in {@code prefix}
     */
    public synchronized Options infoLogToStandardError(String prefix, InfoLogLevel least) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(least, "least");
        try (Scratch scratch = Native.scratch()) {
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
     * Adds one that is told what the database does in the background.
     *
     * @param listener the listener; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *                 are closed
     * @return this
     */
    public synchronized Options addEventListener(EventListener listener) {
        NativeDbOptions.addEventListener(owned.address(), EventCallbacks.create(listener));
        // RocksDB calls all that were added.
        owned.keep("listener_callbacks_" + owned.kept().size(), new CalledObject(listener));
        return (Options) this;
    }

    /**
     * Sets what looks at the records of the write-ahead log while a database is opened.
     *
     * @param filter the filter
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options walFilter(WalFilter filter) {
        NativeWalFilter made = WalFilterCallback.create(filter);
        NativeDbOptions.setWalFilter(owned.address(), made.address());
        owned.keep("wal_filter", made);
        owned.keep("wal_filter_callbacks", new CalledObject(filter));
        return (Options) this;
    }

    /**
     * Sets what does compactions elsewhere.
     *
     * @param service the service; RocksDB may call it until these options are unreachable and all databases that were opened with them
     *                are closed
     * @return this
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized Options compactionService(CompactionService service) {
        CApi.rocksdb_options_set_compaction_service(owned.address(), CompactionServiceCallbacks.create(service));
        owned.keep("service_callbacks", new CalledObject(service));
        return (Options) this;
    }

    /** The comparator in Java, as RocksDB calls it; null if there is none. */
    @Nullable
    synchronized CheckedComparator checkedComparator() {
        NativeComparator inJava = comparatorInJava();
        return inJava == null ? null : inJava.checked;
    }

    /** Whether the order of the keys is one that only this process knows. */
    synchronized boolean hasComparatorInJava() {
        return comparatorInJava() != null;
    }

    synchronized boolean hasWalFilter() {
        return owned.kept().containsKey("wal_filter");
    }

    /** The comparator, if it is one in Java; an option string may have set another one since, of another name. */
    private @Nullable NativeComparator comparatorInJava() {
        return owned.kept().get("comparator") instanceof NativeComparator inJava
                && inJava.checked.name.equals(objects.get("comparator")) ? inJava : null;
    }

    synchronized boolean hasMergeOperator() {
        return !objects.getOrDefault("merge_operator", "").isEmpty();
    }

    /** The order of the keys. */
    synchronized KeyOrder keyOrder() {
        NativeComparator inJava = comparatorInJava();
        if (inJava != null) {
            return inJava.checked;
        }
        return objects.getOrDefault("comparator", "").startsWith("rocksdb.Reverse")
                ? KeyOrder.REVERSE_BYTEWISE
                : KeyOrder.BYTEWISE;
    }

    /** How many bytes of each key are its timestamp. */
    synchronized int timestampSize() {
        NativeComparator inJava = comparatorInJava();
        if (inJava != null) {
            return inJava.checked.timestampSize;
        }
        return objects.getOrDefault("comparator", "").endsWith(".u64ts") ? Long.BYTES : 0;
    }

    /** The comparator's name, as RocksDB stores it. */
    synchronized String comparatorName() {
        return objects.getOrDefault("comparator", "leveldb.BytewiseComparator");
    }
}
