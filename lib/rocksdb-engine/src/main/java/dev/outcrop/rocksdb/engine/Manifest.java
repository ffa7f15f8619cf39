package dev.outcrop.rocksdb.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files of a database according to its manifest (db/version_edit.h), which this class reads on as it grows. A secondary instance of
 * RocksDB takes the newest version that has all its files, and does not tell whether there is a newer version. This class knows.
 */
public final class Manifest {
    /** The tags of the manifest's fields. Fields with tags from {@link #IGNORABLE} on have a length, and may be skipped. */
    private static final int COMPARATOR = 1;
    private static final int LOG_NUMBER = 2;
    private static final int NEXT_FILE_NUMBER = 3;
    private static final int LAST_SEQUENCE = 4;
    private static final int COMPACT_CURSOR = 5;
    private static final int DELETED_FILE = 6;
    private static final int NEW_FILE = 7;
    private static final int PREVIOUS_LOG_NUMBER = 9;
    private static final int MIN_LOG_NUMBER_TO_KEEP = 10;
    private static final int NEW_FILE_2 = 100;
    private static final int NEW_FILE_3 = 102;
    private static final int NEW_FILE_4 = 103;
    private static final int FAMILY = 200;
    private static final int FAMILY_ADD = 201;
    private static final int FAMILY_DROP = 202;
    private static final int MAX_FAMILY = 203;
    private static final int IN_ATOMIC_GROUP = 300;
    private static final int BLOB_FILE_ADDITION = 400;
    private static final int BLOB_FILE_GARBAGE = 401;
    private static final int IGNORABLE = 1 << 13;
    private static final int DATABASE_ID = IGNORABLE + 1;
    /** The header of a blob file has 30 bytes, the footer 32. */
    private static final int BLOB_FRAME = 62;

    public final Path file;
    private final @Nullable Object key;
    private final LogFormat format;
    private final Map<Integer, FamilyVersion> families = new TreeMap<>();
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();
    private List<Edit> group = new ArrayList<>();
    private Runnable changed = Manifest::doNothing;
    private final Set<String> dropped = new HashSet<>();
    private long minLogNumber;
    private String databaseId = "";
    private int records;
    private @Nullable String problem;
    /** Whether the manifest has an unknown field, so nothing is known for sure. */
    private boolean isUnknown;

    /** The files of a column family. */
    public static final class FamilyVersion {
        public final String name;
        /** The sizes of table and blob files, by number. */
        public final Map<Long, Long> tables = new HashMap<>();
        public final Map<Long, Long> blobs = new HashMap<>();
        private final Map<Long, Long> blobCounts = new HashMap<>();
        private long sum;
        private long logNumber;

        FamilyVersion(String name) {
            this.name = name;
        }

        /** Returns whether the tables have this number and {@link #sum}. */
        public boolean hasTables(int count, long sumOfNumbers) {
            return tables.size() == count && sum == sumOfNumbers;
        }

        private void add(long number, long size) {
            if (tables.put(number, size) == null) {
                sum += mixed(number);
            }
        }

        private void remove(long number) {
            if (tables.remove(number) != null) {
                sum -= mixed(number);
            }
        }
    }

    /** Returns the summand of a file's number. */
    public static long mixed(long number) {
        long mixed = (number ^ (number >>> 31)) * 0x9E3779B97F4A7C15L;
        return (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    }

    /** A record. */
    private static final class Edit {
        private int family;
        private @Nullable String added;
        private boolean isDrop;
        private long remaining;
        private long logNumber;
        private long minLogNumber;
        private @Nullable String databaseId;
        private final List<long[]> tables = new ArrayList<>();
        private final List<Long> deleted = new ArrayList<>();
        /** The number, count and bytes of each. */
        private final List<long[]> blobs = new ArrayList<>();
        private final List<long[]> garbage = new ArrayList<>();
    }

    private Manifest(Path file) {
        this.file = file;
        this.key = key(file);
        this.format = new LogFormat(file, this::add);
    }

    /** Returns the manifest that a database uses now, not read yet; null if there is none on the disk. */
    public static @Nullable Manifest of(Path database) {
        List<Path> file = LogFormat.manifest(database);
        return file.isEmpty() || !Files.isRegularFile(file.getFirst()) ? null : new Manifest(file.getFirst());
    }

    private static @Nullable Object key(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns whether another manifest is the same file. */
    public boolean isSame(Manifest other) {
        return file.equals(other.file) && Objects.equals(key, other.key);
    }

    /** Returns the number in its name. */
    public long number() {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1));
    }

    /** Returns whether everything in it is known. */
    public boolean isKnown() {
        return !isUnknown && records > 0;
    }

    /** Returns the column families by their ids. */
    public Map<Integer, FamilyVersion> families() {
        return families;
    }

    /** Returns the names of column families that were dropped since the manifest was begun, and may exist again. */
    public Set<String> dropped() {
        return dropped;
    }

    /** Returns the least number of a log that is needed. */
    public long minLogNumber() {
        return minLogNumber;
    }

    /**
     * Returns the number of the first log that RocksDB reads when it opens the database; it skips older ones, although they may still exist.
     * Greater than all logs if unknown.
     */
    public long firstNeededLog() {
        long first = families.values().stream().mapToLong(family -> family.logNumber).min().orElse(0);
        return isKnown() ? Math.max(minLogNumber, first) : Long.MAX_VALUE;
    }

    /** Returns the numbers of the needed logs that the manifest names. */
    public Set<Long> logNumbers() {
        Set<Long> numbers = new TreeSet<>(Set.of(minLogNumber));
        families.values().forEach(family -> numbers.add(Math.max(minLogNumber, family.logNumber)));
        return numbers;
    }

    /** Returns the database's id, or an empty string. */
    public String databaseId() {
        return databaseId;
    }

    /** Returns the problem of the last read, or null. */
    public @Nullable String problem() {
        return problem;
    }

    /** Reads new records; returns whether there were any. */
    public boolean readOn() {
        return readOn(Manifest::doNothing);
    }

    /**
     * Reads new records.
     *
     * @param action called at each version
     * @return whether there were any
     */
    public boolean readOn(Runnable action) {
        int before = records;
        changed = action;
        problem = format.check();
        changed = Manifest::doNothing;
        return records != before;
    }

    private static void doNothing() {
        // Versions in between do not matter.
    }

    private void add(ByteBuffer part, boolean isFirst, boolean isLast) {
        if (isFirst) {
            record.reset();
        }
        record.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
        if (isLast) {
            records++;
            readRecord();
            record.reset();
        }
    }

    private void readRecord() {
        try {
            Edit edit = edit(ByteBuffer.wrap(record.toByteArray()));
            group.add(edit);
            if (edit.remaining == 0) {
                group.forEach(this::apply);
                group = new ArrayList<>();
                changed.run();
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            isUnknown = true;
        }
    }

    private void apply(Edit edit) {
        minLogNumber = Math.max(minLogNumber, edit.minLogNumber);
        databaseId = Objects.requireNonNullElse(edit.databaseId, databaseId);
        if (edit.isDrop) {
            FamilyVersion gone = families.remove(edit.family);
            if (gone != null) {
                dropped.add(gone.name);
            }
            return;
        }
        if (edit.added != null) {
            families.put(edit.family, new FamilyVersion(edit.added));
        }
        // The default family exists from the start.
        FamilyVersion version = edit.family == 0
                ? families.computeIfAbsent(0, _ -> new FamilyVersion("default"))
                : families.get(edit.family);
        if (version == null) {
            return;
        }
        version.logNumber = Math.max(version.logNumber, edit.logNumber);
        edit.deleted.forEach(version::remove);
        edit.tables.forEach(table -> version.add(table[0], table[1]));
        edit.blobs.forEach(blob -> {
            version.blobs.put(blob[0], blob[2] + BLOB_FRAME);
            version.blobCounts.put(blob[0], blob[1]);
        });
        edit.garbage.forEach(each -> {
            if (version.blobCounts.merge(each[0], -each[1], Long::sum) <= 0) {
                version.blobs.remove(each[0]);
                version.blobCounts.remove(each[0]);
            }
        });
    }

    private static Edit edit(ByteBuffer in) {
        Edit edit = new Edit();
        while (in.hasRemaining()) {
            int tag = (int) number(in);
            switch (tag) {
                case COMPARATOR -> skipText(in);
                case LOG_NUMBER -> edit.logNumber = number(in);
                case NEXT_FILE_NUMBER, LAST_SEQUENCE, PREVIOUS_LOG_NUMBER, MAX_FAMILY -> skipNumbers(in, 1);
                case MIN_LOG_NUMBER_TO_KEEP -> edit.minLogNumber = number(in);
                case COMPACT_CURSOR -> {
                    skipNumbers(in, 1);
                    skipText(in);
                }
                case DELETED_FILE -> {
                    skipNumbers(in, 1);
                    edit.deleted.add(number(in));
                }
                case NEW_FILE, NEW_FILE_2, NEW_FILE_3, NEW_FILE_4 -> edit.tables.add(table(in, tag));
                case FAMILY -> edit.family = (int) number(in);
                case FAMILY_ADD -> edit.added = text(in);
                case FAMILY_DROP -> edit.isDrop = true;
                case IN_ATOMIC_GROUP -> edit.remaining = number(in);
                case BLOB_FILE_ADDITION -> {
                    edit.blobs.add(new long[]{number(in), number(in), number(in)});
                    skipText(in);
                    skipText(in);
                    skipFields(in, 0);
                }
                case BLOB_FILE_GARBAGE -> {
                    edit.garbage.add(new long[]{number(in), number(in), number(in)});
                    skipFields(in, 0);
                }
                case DATABASE_ID -> edit.databaseId = text(in);
                default -> {
                    if ((tag & IGNORABLE) == 0) {
                        throw new IllegalArgumentException("tag " + tag);
                    }
                    skipText(in);
                }
            }
        }
        return edit;
    }

    /** Returns the number and the size of a table. */
    private static long[] table(ByteBuffer in, int tag) {
        skipNumbers(in, 1);
        long number = number(in);
        skipNumbers(in, tag == NEW_FILE_3 ? 1 : 0);
        long size = number(in);
        skipText(in);
        skipText(in);
        skipNumbers(in, tag == NEW_FILE ? 0 : 2);
        if (tag == NEW_FILE_4) {
            skipFields(in, 1);
        }
        return new long[]{number, size};
    }

    /** Skips fields with a tag and a length, up to the tag that ends them. */
    private static void skipFields(ByteBuffer in, int end) {
        while (number(in) != end) {
            skipText(in);
        }
    }

    private static void skipNumbers(ByteBuffer in, int count) {
        for (int i = 0; i < count; i++) {
            number(in);
        }
    }

    private static void skipText(ByteBuffer in) {
        int length = length(in);
        in.position(in.position() + length);
    }

    private static int length(ByteBuffer in) {
        long length = number(in);
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("length " + length);
        }
        return (int) length;
    }

    private static String text(ByteBuffer in) {
        byte[] text = new byte[length(in)];
        in.get(text);
        return NativeText.string(text);
    }

    private static long number(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte part = in.get();
            number |= (part & 0x7fL) << shift;
            if (part >= 0) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number of more than 64 bits");
    }
}
