package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeCompactionFilter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The compaction filter of Apache Flink, which removes state that has lived too long. The published jar lacks it; Flink's own jar {@code
 * com.ververica:frocksdbjni} has it in C++.
 *
 * <p>It removes the same entries, but does not see the operands of merges. If Flink has appended to a list, the compaction that joins the
 * list does not filter it; the next compaction does.
 */
public class FlinkCompactionFilter extends AbstractCompactionFilter<Slice> {
    private static final String NAME = "FlinkCompactionFilter";

    private FlinkCompactionFilter(FlinkCompactionFilterFactory factory) {
        super(NativeCompactionFilter.create(new Entries(factory), factory, NAME));
    }

    /** The kind of a state, which says where its times are. */
    public enum StateType {
        /** All entries stay. */
        Disabled,
        /** An entry has one time. */
        Value,
        /** Each element of an entry has a time. */
        List
    }

    /** Finds the elements of a list that stay. */
    public interface ListElementFilter {
        /**
         * Returns where the first element begins that stays.
         *
         * @param list             the elements, the oldest first
         * @param ttl              their time to live, in milliseconds
         * @param currentTimestamp the time, in milliseconds
         * @return its offset; the length of the list if no element stays
         */
        int nextUnexpiredOffset(byte[] list, long ttl, long currentTimestamp);
    }

    /** Makes a {@link ListElementFilter} for each compaction. */
    public interface ListElementFilterFactory {
        /**
         * Makes a filter. Only one thread uses it.
         *
         * @return the filter
         */
        ListElementFilter createListElementFilter();
    }

    /** Tells the time. */
    public interface TimeProvider {
        /**
         * Returns the time.
         *
         * @return milliseconds
         */
        long currentTimestamp();
    }

    /** The settings of a filter. */
    public static class Config {
        final StateType stateType;
        final int timestampOffset;
        final long ttl;
        final long queryTimeAfterNumEntries;
        final int fixedElementLength;
        final ListElementFilterFactory listElementFilterFactory;

        private Config(StateType stateType, int timestampOffset, long ttl, long queryTimeAfterNumEntries,
                int fixedElementLength, ListElementFilterFactory listElementFilterFactory) {
            this.stateType = stateType;
            this.timestampOffset = timestampOffset;
            this.ttl = ttl;
            this.queryTimeAfterNumEntries = queryTimeAfterNumEntries;
            this.fixedElementLength = fixedElementLength;
            this.listElementFilterFactory = listElementFilterFactory;
        }

        /**
         * Makes settings for entries that have one time.
         *
         * @param stateType                the kind of the state
         * @param timestampOffset          where the time is in a value
         * @param ttl                      time to live, in milliseconds
         * @param queryTimeAfterNumEntries the number of entries after which the filter looks at the clock again
         * @return the settings
         */
        public static Config createNotList(StateType stateType, int timestampOffset, long ttl,
                long queryTimeAfterNumEntries) {
            if (timestampOffset < 0) {
                throw new IllegalArgumentException("The timestampOffset must not be negative: " + timestampOffset);
            }
            return new Config(Objects.requireNonNull(stateType, "stateType"), timestampOffset, ttl,
                    queryTimeAfterNumEntries, -1, null);
        }

        /**
         * Makes settings for values that begin with their time.
         *
         * @param ttl                      time to live, in milliseconds
         * @param queryTimeAfterNumEntries the number of entries after which the filter looks at the clock again
         * @return the settings
         */
        public static Config createForValue(long ttl, long queryTimeAfterNumEntries) {
            return createNotList(StateType.Value, 0, ttl, queryTimeAfterNumEntries);
        }

        /**
         * Makes settings for the entries of maps, which have a byte before the time.
         *
         * @param ttl                      time to live, in milliseconds
         * @param queryTimeAfterNumEntries the number of entries after which the filter looks at the clock again
         * @return the settings
         */
        public static Config createForMap(long ttl, long queryTimeAfterNumEntries) {
            return createNotList(StateType.Value, 1, ttl, queryTimeAfterNumEntries);
        }

        /**
         * Makes settings for lists of elements of one length, which begin with their times.
         *
         * @param ttl                      time to live, in milliseconds
         * @param queryTimeAfterNumEntries the number of entries after which the filter looks at the clock again
         * @param fixedElementLength       the bytes of an element with time and separator
         * @return the settings
         */
        public static Config createForFixedElementList(long ttl, long queryTimeAfterNumEntries,
                int fixedElementLength) {
            return new Config(StateType.List, 0, ttl, queryTimeAfterNumEntries, fixedElementLength, null);
        }

        /**
         * Makes settings for lists of elements of different lengths. The first element begins with its time.
         *
         * @param ttl                      time to live, in milliseconds
         * @param queryTimeAfterNumEntries the number of entries after which the filter looks at the clock again
         * @param listElementFilterFactory makes the filter that finds the elements that stay
         * @return the settings
         */
        public static Config createForList(long ttl, long queryTimeAfterNumEntries,
                ListElementFilterFactory listElementFilterFactory) {
            return new Config(StateType.List, 0, ttl, queryTimeAfterNumEntries, -1, listElementFilterFactory);
        }
    }

    /** Makes a filter for each compaction. All entries stay until it is configured. */
    public static class FlinkCompactionFilterFactory extends AbstractCompactionFilterFactory<FlinkCompactionFilter> {
        private final TimeProvider timeProvider;
        private final Logger logger;
        private final AtomicReference<Config> config = new AtomicReference<>();

        /**
         * Makes a factory without a logger.
         *
         * @param timeProvider tells the time
         */
        public FlinkCompactionFilterFactory(TimeProvider timeProvider) {
            this(timeProvider, null);
        }

        /**
         * Makes a factory.
         *
         * @param timeProvider tells the time
         * @param logger       receives the decisions about entries, and is closed with the factory; null for none
         */
        public FlinkCompactionFilterFactory(TimeProvider timeProvider, Logger logger) {
            this.timeProvider = Objects.requireNonNull(timeProvider, "timeProvider");
            this.logger = logger;
        }

        /** Also closes the logger. Databases that have the factory still call it. */
        @Override
        public void close() {
            super.close();
            if (logger != null) {
                logger.close();
            }
        }

        @Override
        public FlinkCompactionFilter createCompactionFilter(AbstractCompactionFilter.Context context) {
            return new FlinkCompactionFilter(this);
        }

        @Override
        public String name() {
            return "FlinkCompactionFilterFactory";
        }

        /**
         * Sets what filters do from now on.
         *
         * @param settings for the state
         * @throws IllegalStateException if they were set before
         */
        public void configure(Config settings) {
            if (!config.compareAndSet(null, Objects.requireNonNull(settings, "config"))) {
                throw new IllegalStateException("Compaction filter is already configured");
            }
        }
    }

    /** Decides about the entries of a compaction, on its thread. */
    private static final class Entries implements NativeCompactionFilter.Filter {
        private static final ValueLayout.OfLong TIME = ValueLayout.JAVA_LONG_UNALIGNED
                .withOrder(ByteOrder.BIG_ENDIAN);

        private final FlinkCompactionFilterFactory factory;
        private Config config;
        private ListElementFilter elements;
        private long now;
        private long entriesUntilNow;

        Entries(FlinkCompactionFilterFactory factory) {
            this.factory = factory;
        }

        @Override
        public boolean removes(int level, MemorySegment key, MemorySegment value, Arena call,
                NativeCompactionFilter.Result result) {
            if (!isConfigured() || config.stateType == StateType.Disabled) {
                return false;
            }
            if (entriesUntilNow-- <= 0) {
                now = factory.timeProvider.currentTimestamp();
                entriesUntilNow = config.queryTimeAfterNumEntries - 1;
            }
            if (value.byteSize() < config.timestampOffset + TIME.byteSize()) {
                return false;
            }
            boolean expired = isExpired(value, config.timestampOffset);
            if (!expired || config.stateType == StateType.Value
                    || (config.fixedElementLength <= 0 && elements == null)) {
                return expired;
            }
            long kept = config.fixedElementLength > 0
                    ? afterExpired(value)
                    : elements.nextUnexpiredOffset(value.toArray(ValueLayout.JAVA_BYTE), config.ttl, now);
            if (kept <= 0 || kept >= Integer.MAX_VALUE) {
                return false;
            }
            if (kept < value.byteSize()) {
                result.set(value.address() + kept, value.byteSize() - kept);
                return false;
            }
            return true;
        }

        private boolean isConfigured() {
            if (config == null) {
                config = factory.config.get();
                if (config != null && config.listElementFilterFactory != null) {
                    elements = config.listElementFilterFactory.createListElementFilter();
                }
            }
            return config != null;
        }

        private long afterExpired(MemorySegment list) {
            long offset = 0;
            while (offset + TIME.byteSize() <= list.byteSize() && isExpired(list, offset)) {
                offset += config.fixedElementLength;
            }
            return offset;
        }

        private boolean isExpired(MemorySegment value, long offset) {
            long time = value.get(TIME, offset);
            // If the end of the time overflows, use the greatest number.
            long end = time > 0 ? time + Math.min(Long.MAX_VALUE - time, config.ttl) : time + config.ttl;
            boolean expired = end <= now;
            if (factory.logger != null && factory.logger.infoLogLevel() == InfoLogLevel.DEBUG_LEVEL) {
                factory.logger.log(InfoLogLevel.DEBUG_LEVEL, "Last access: " + time + " ms, time to live: "
                        + config.ttl + " ms, now: " + now + " ms, " + (expired ? "removed" : "kept"));
            }
            return expired;
        }
    }
}
