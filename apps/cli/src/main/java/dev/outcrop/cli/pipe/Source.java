package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.pipe.RecordFormat.BadRecordException;
import dev.outcrop.cli.pipe.RecordReader.Raw;
import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads an input into the queue. */
final class Source implements Closeable {
    /** The name of the standard input. */
    static final String STANDARD_INPUT = "-";
    private static final String STANDARD_INPUT_NAME = "the standard input";

    private final String name;
    private final String id;
    private final @Nullable Path path;
    private final @Nullable Object fileKey;
    private final FileChannel channel;
    private final RecordFormat format;
    private final RecordReader reader;
    private final Rules rules;
    private final Chunk.Builder chunk = new Chunk.Builder();
    private Position taken = Position.START;
    private Position before = Position.START;
    private boolean hasHeader;
    private long entries;
    private long refused;
    private volatile boolean isStopped;

    /**
     * The settings for all inputs of a run.
     *
     * @param family   receives the entries
     * @param keepsBad whether bad records go on to the queue, and from there to the dead letter queue
     * @param queue    takes the chunks
     */
    record Rules(String family, boolean isMerge, boolean keepsBad, Consumer<byte[]> queue) {
    }

    private Source(String name, String id, @Nullable Path path, @Nullable Object fileKey, FileChannel channel,
            RecordFormat format, Rules rules) {
        this.name = name;
        this.id = id;
        this.path = path;
        this.fileKey = fileKey;
        this.channel = channel;
        this.format = format;
        this.reader = new RecordReader(channel, format.ends());
        this.rules = rules;
    }

    static Source standardInput(RecordFormat format, Rules rules) {
        // A channel, because a waiting read of System.in cannot be ended.
        FileChannel channel = new FileInputStream(FileDescriptor.in).getChannel();
        return new Source(STANDARD_INPUT_NAME, STANDARD_INPUT, null, null, channel, format, rules);
    }

    static Source file(Path file, RecordFormat format, Rules rules) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return new Source(file.toString(), id(file), file, key, FileChannel.open(file), format, rules);
    }

    /** Returns the canonical name of a file. */
    static String id(Path file) throws IOException {
        return file.toRealPath().toString();
    }

    String name() {
        return name;
    }

    String id() {
        return id;
    }

    /** Returns how far the input was taken. */
    Position taken() {
        return taken;
    }

    /** Returns how far the input was taken before this run. */
    Position before() {
        return before;
    }

    long entries() {
        return entries;
    }

    long refused() {
        return refused;
    }

    /** Ends reading, even a waiting read. Called by another thread. */
    void stop() {
        isStopped = true;
        try {
            channel.close();
        } catch (IOException e) {
            throw Failure.of("cannot close " + name, e);
        }
    }

    // --- Reading ---

    /** Skips the part that was taken before. Fails if that part has changed. */
    void goOn(Position known) throws IOException {
        if (known.bytes() == 0) {
            return;
        }
        unlessStopped(() -> {
            if ((format.hasHeader() && !passHeader()) || !reader.skip(known)) {
                throw new Failure(path == null
                        ? name + " does not begin with the " + known.bytes() + " bytes, up to line " + known.lines()
                                + ", that were taken last time: it is another input, of which nothing was taken"
                                + " yet, or it was changed. Leave --resume out to take all of it"
                        : name + " has changed: of its first " + known.bytes() + " bytes, up to line "
                                + known.lines()
                                + ", which were taken before, some are missing or changed. Give --again to take all of it"
                                + " anew, or put the new records into a file of their own");
            }
            requireLineEnd(known);
            before = known;
            taken = known;
        });
    }

    private boolean passHeader() throws IOException {
        Raw header = reader.next(false);
        while (header == null) {
            boolean isMore = reader.fill();
            header = reader.next(!isMore);
            if (!isMore && header == null) {
                return false;
            }
        }
        header(header);
        reader.pass();
        return true;
    }

    private void requireLineEnd(Position known) throws IOException {
        if (!reader.endLine()) {
            throw new Failure("line " + known.lines() + " of " + name
                    + " was the last one, without a line end, and was taken as it was; now it goes on. Give --again to"
                    + " take the file anew");
        }
    }

    /**
     * Takes all records that are there. If they are the last records, the last line needs no line end. Fails at a bad record if there is no
     * dead letter queue.
     */
    void take(boolean isLast) throws IOException {
        unlessStopped(() -> {
            if (reader.position() == before.bytes()) {
                requireLineEnd(before);
            }
            do {
                takeRecords(false);
            } while (!isStopped && reader.fill());
            if (isLast) {
                takeRecords(true);
            }
        });
    }

    private interface Reading {
        void run() throws IOException;
    }

    private void unlessStopped(Reading reading) throws IOException {
        try {
            reading.run();
        } catch (ClosedChannelException e) {
            if (!isStopped) {
                throw e;
            }
        }
    }

    private void takeRecords(boolean isLast) {
        for (Raw raw = reader.next(isLast); raw != null && !isStopped; raw = reader.next(isLast)) {
            use(raw);
            reader.pass();
            if (chunk.isFull()) {
                flush();
            }
        }
        flush();
    }

    private void use(Raw raw) {
        if (format.hasHeader() && !hasHeader) {
            header(raw);
        } else if (raw.isTooLong() || raw.content().byteSize() > 0) {
            try {
                requireWhole(raw);
                format.read(raw.bytes(), this::add);
            } catch (BadRecordException e) {
                refuse(raw, e);
            }
        }
    }

    private void header(Raw raw) {
        try {
            requireWhole(raw);
            format.header(raw.bytes());
            hasHeader = true;
        } catch (BadRecordException e) {
            throw new Failure(place(raw) + ", the header: " + e.problem());
        } catch (Failure e) {
            throw new Failure(name + ": " + e.getMessage());
        }
    }

    private void add(byte[] key, byte[] value) throws BadRecordException {
        if (key.length == 0) {
            throw new BadRecordException("the key is empty");
        }
        if (key.length + value.length > 2 * RecordReader.LONGEST) {
            throw new BadRecordException("its key and value have more than " + 2 * RecordReader.LONGEST + " bytes");
        }
        chunk.entry(rules.isMerge, key, value);
        entries++;
    }

    private static void requireWhole(Raw raw) throws BadRecordException {
        if (raw.isTooLong()) {
            throw new BadRecordException("it is longer than " + RecordReader.LONGEST + " bytes");
        }
        if (raw.isUnended()) {
            throw new BadRecordException("a quotation does not end");
        }
    }

    private void refuse(Raw raw, BadRecordException problem) {
        String reason = place(raw) + ": " + problem.problem();
        if (!rules.keepsBad) {
            flush();
            throw new Failure(reason + "; all records before it are stored. Mend it, and the same command goes on there"
                    + (path == null ? " with --resume" : "") + "; or give --bad QUEUE, to put such records there");
        }
        chunk.refused(reason, raw.bytes());
        refused++;
    }

    private String place(Raw raw) {
        return "line " + raw.line() + " of " + name;
    }

    /** Appends the records that were read to the queue. */
    private void flush() {
        if (reader.position() == taken.bytes()) {
            return;
        }
        taken = reader.taken();
        rules.queue.accept(chunk.take(rules.family, id, taken));
    }

    /** Fails if a file that is followed was replaced or cut off. */
    void requireSame() throws IOException {
        Path file = Objects.requireNonNull(path);
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            if (Objects.equals(fileKey, now.fileKey()) && now.size() >= taken.bytes()) {
                return;
            }
        } catch (NoSuchFileException e) {
            throw new Failure(
                    file + " was removed or renamed while it was followed; all records that were read are stored");
        }
        throw new Failure(file
                + " was replaced or cut off while it was followed; all records that were read are stored. Give --again"
                + " to take the new one");
    }

    @Override
    public void close() throws IOException {
        if (path != null) {
            channel.close();
        }
    }
}
