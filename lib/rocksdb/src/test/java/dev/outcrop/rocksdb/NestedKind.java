package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The callbacks that {@link NestedCalls} makes calls from, and how messages call them. */
enum NestedKind {
    COMPARATOR,
    COMPARATOR_WITH_TIMESTAMPS,
    MERGE,
    PARTIAL_MERGE,
    PREFIX_EXTRACTOR,
    COMPACTION_FILTER,
    FILTER_FACTORY,
    FILTER_OF_FACTORY,
    LOGGER,
    TABLE_FILTER,
    WAL_FILTER,
    BACKUP_PROGRESS,
    BACKUP_EXCLUSION,
    COMPACTION_SERVICE,
    WAIT_FOR,
    ON_FLUSH_BEGIN,
    ON_FLUSH_COMPLETED,
    ON_COMPACTION_BEGIN,
    ON_COMPACTION_COMPLETED,
    ON_SUBCOMPACTION_BEGIN,
    ON_SUBCOMPACTION_COMPLETED,
    ON_EXTERNAL_FILE_INGESTED,
    ON_STALL_CONDITIONS_CHANGED,
    ON_MEM_TABLE_SEALED,
    ON_BACKGROUND_ERROR;

    /** The words that an exception must contain. */
    private String words() {
        return switch (this) {
            case COMPARATOR, COMPARATOR_WITH_TIMESTAMPS -> "comparator";
            case MERGE, PARTIAL_MERGE -> "merge operator";
            case PREFIX_EXTRACTOR -> "prefix extractor";
            case COMPACTION_FILTER, FILTER_OF_FACTORY -> "compaction filter";
            case FILTER_FACTORY -> "compaction filter factory";
            case LOGGER -> "logger";
            case TABLE_FILTER -> "table filter";
            case WAL_FILTER -> "WAL filter";
            case BACKUP_PROGRESS -> "progress callback";
            case BACKUP_EXCLUSION -> "exclusion of files";
            case COMPACTION_SERVICE, WAIT_FOR -> "compaction service";
            default -> "event listener";
        };
    }

    boolean hasTimestamps() {
        return this == COMPARATOR_WITH_TIMESTAMPS;
    }

    /** Whether transactions have calls of their own that lead to it. */
    boolean isReachedByTransactions() {
        return this == COMPARATOR || this == MERGE || this == PREFIX_EXTRACTOR || this == LOGGER;
    }

    /** Sets the callback in options. Each of its calls runs {@code reached}. */
    Options in(Options options, Runnable reached) {
        return switch (this) {
            case COMPARATOR, COMPARATOR_WITH_TIMESTAMPS -> options.comparator(comparator(reached));
            case MERGE, PARTIAL_MERGE -> options.mergeOperator(merge(reached));
            case PREFIX_EXTRACTOR -> options.prefixExtractor(SliceTransform.of(extractor(reached)))
                    .memtablePrefixBloomSizeRatio(0.1).blockBasedTableFactory(
                            new BlockBasedTableOptions().filterPolicy(FilterPolicy.bloom(10)));
            case COMPACTION_FILTER -> options.compactionFilter(filter(reached));
            case FILTER_FACTORY -> options.compactionFilterFactory(_ -> {
                reached.run();
                return null;
            });
            case FILTER_OF_FACTORY -> options.compactionFilterFactory(_ -> filter(reached));
            case LOGGER -> options.infoLog((_, _) -> reached.run(), InfoLogLevel.DEBUG);
            case WAL_FILTER -> options.walFilter((_, _, _, _) -> {
                reached.run();
                return WalFilter.Decision.KEEP;
            });
            case COMPACTION_SERVICE, WAIT_FOR -> options.compactionService(service(reached));
            case TABLE_FILTER, BACKUP_PROGRESS, BACKUP_EXCLUSION -> options;
            default -> options.addEventListener(new Listener(this, reached));
        };
    }

    private KeyComparator comparator(Runnable reached) {
        int size = hasTimestamps() ? Long.BYTES : 0;
        return new KeyComparator() {
            @Override
            public String name() {
                return "nested." + NestedKind.this;
            }

            @Override
            public int timestampSize() {
                return size;
            }

            @Override
            public int compare(MemorySegment a, MemorySegment b) {
                reached.run();
                return UserComparator.BYTEWISE.compare(a, b);
            }
        };
    }

    private MergeFunction merge(Runnable reached) {
        return new MergeFunction() {
            @Override
            public String name() {
                return "nested." + NestedKind.this;
            }

            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing,
                    List<MemorySegment> operands, ValueSink result) {
                if (NestedKind.this == MERGE) {
                    reached.run();
                }
                result.write(existing == null ? operands.getLast() : existing);
            }

            @Override
            public boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
                if (NestedKind.this == PARTIAL_MERGE) {
                    reached.run();
                }
                result.write(operands.getLast());
                return true;
            }
        };
    }

    private PrefixExtractor extractor(Runnable reached) {
        return NamedCallbacks.prefix("nested.prefix", key -> {
            reached.run();
            return Math.min(1, key.byteSize());
        });
    }

    private static CompactionFilter filter(Runnable reached) {
        return (_, _, _, _) -> {
            reached.run();
            return CompactionFilter.Decision.KEEP;
        };
    }

    private CompactionService service(Runnable reached) {
        return new CompactionService() {
            @Override
            public Scheduled schedule(CompactionServiceJobInfo info, byte[] input) {
                if (NestedKind.this == COMPACTION_SERVICE) {
                    reached.run();
                    return Scheduled.locally();
                }
                return Scheduled.as("job");
            }

            @Override
            public CompactionServiceJobStatus waitFor(String jobId, ValueSink result) {
                reached.run();
                return CompactionServiceJobStatus.USE_LOCAL;
            }
        };
    }

    /** Is told of everything, and cares about one thing. */
    private record Listener(NestedKind kind, Runnable reached) implements EventListener {
        private void told(NestedKind what) {
            if (what == kind) {
                reached.run();
            }
        }

        @Override
        public void onFlushBegin(FlushJobInfo info) {
            told(ON_FLUSH_BEGIN);
        }

        @Override
        public void onFlushCompleted(FlushJobInfo info) {
            told(ON_FLUSH_COMPLETED);
        }

        @Override
        public void onCompactionBegin(CompactionJobInfo info) {
            told(ON_COMPACTION_BEGIN);
        }

        @Override
        public void onCompactionCompleted(CompactionJobInfo info) {
            told(ON_COMPACTION_COMPLETED);
        }

        @Override
        public void onSubcompactionBegin(SubcompactionJobInfo info) {
            told(ON_SUBCOMPACTION_BEGIN);
        }

        @Override
        public void onSubcompactionCompleted(SubcompactionJobInfo info) {
            told(ON_SUBCOMPACTION_COMPLETED);
        }

        @Override
        public void onExternalFileIngested(ExternalFileIngestionInfo info) {
            told(ON_EXTERNAL_FILE_INGESTED);
        }

        @Override
        public boolean onBackgroundError(BackgroundErrorReason reason, Status status) {
            told(ON_BACKGROUND_ERROR);
            return false;
        }

        @Override
        public void onStallConditionsChanged(WriteStallInfo info) {
            told(ON_STALL_CONDITIONS_CHANGED);
        }

        @Override
        public void onMemTableSealed(MemTableInfo info) {
            told(ON_MEM_TABLE_SEALED);
        }
    }

    /** Whether an exception says what this callback must not do. */
    boolean isNamedBy(Throwable thrown) {
        String message = Objects.requireNonNullElse(thrown.getMessage(), "");
        // The second where Java calls a comparator.
        return message.contains(words()) || message.contains("from inside one of its own calls (a callback)");
    }
}
