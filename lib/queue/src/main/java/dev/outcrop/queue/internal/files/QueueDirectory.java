package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.Failures;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a queue that this process has open for writing. Makes segments from spare files, and spare files from segments. Thread-safe.
 */
public final class QueueDirectory implements AutoCloseable {
    public static final String SEGMENT = ".segment";
    private static final String SPARE = ".spare";
    private static final int DIGITS = 20;
    private static final Pattern SPARE_NAME = Pattern.compile("[1-9][0-9]{0,18}\\" + SPARE);
    private static final Pattern NAME = Pattern.compile("[0-9]{" + DIGITS + "}\\" + SEGMENT);
    /** More would only take space: one is in use, one ready, one coming back. */
    private static final int MOST_SPARES = 2;
    /** Each spare, and a few new ones, may have been removed or changed. */
    private static final int MOST_ATTEMPTS = MOST_SPARES + 8;
    private static final long STEP = 4 << 20;

    private final Path directory;
    private final QueueLock lock;
    private final QueueFile file;
    /** No background thread prepares files. */
    private final boolean isAlone;
    /** Records have to be durable. */
    private volatile boolean isDurable;
    private final SecureRandom random = new SecureRandom();
    /** Ready ones come first. */
    private final Deque<Spare> spares = new ArrayDeque<>();
    private long spareNumber;
    /** Held while a spare is made ready. */
    private final Object making = new Object();
    /** Called when a spare was taken. */
    private volatile @Nullable Runnable preparing;

    /**
     * A file that becomes a segment.
     *
     * @param path       its present name; the file may have been mapped under another one
     * @param generation of the segment; drawn in advance, because an append waits for the rest
     * @param isReady    whether its pages are prepared for writing
     * @param isHuge     whether these may be huge pages
     */
    private record Spare(MappedFile file, Path path, long generation, boolean isReady, boolean isHuge) {
    }

    private QueueDirectory(Path directory, QueueLock lock, QueueFile file, boolean isAlone, boolean isDurable) {
        this.directory = directory;
        this.lock = lock;
        this.file = file;
        this.isAlone = isAlone;
        this.isDurable = isDurable;
    }

    /**
     * Opens the files of a queue, and makes them if there are none.
     *
     * @param segmentSize of a new queue
     * @param isAlone     whether no background thread prepares files
     * @param isDurable   whether records have to be durable
     */
    public static QueueDirectory open(Path path, long segmentSize, boolean isAlone, boolean isDurable)
            throws IOException {
        Path existing = path.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        Files.createDirectories(path);
        Path directory = path.toRealPath();
        QueueLock lock = QueueLock.acquire(directory);
        try {
            Path identity = directory.resolve(QueueFile.NAME);
            if (!Files.exists(identity)) {
                requireNoSegments(directory);
                requireNoDatabase(directory);
                QueueFile.create(identity, new SecureRandom().nextLong(), segmentSize);
            }
            lock.lockIdentity();
            Files.createDirectories(directory.resolve("tailers"));
            // Each time: the process that made them may have been killed before it got here.
            fsyncDirectory(Files.createDirectories(directory.resolve("groups")));
            fsyncDirectory(directory);
            fsyncParents(directory, existing.toRealPath());
            return new QueueDirectory(directory, lock, QueueFile.open(identity), isAlone, isDurable);
        } catch (Throwable e) {
            lock.close();
            throw e;
        }
    }

    /** Forces the names of the directory, and of the parents that were made with it. */
    private static void fsyncParents(Path directory, Path existing) throws IOException {
        for (Path parent = directory.getParent(); parent != null; parent = parent.getParent()) {
            fsyncDirectory(parent);
            if (existing.startsWith(parent)) {
                return;
            }
        }
    }

    /** Refuses to make an empty queue where a full one has lost its file {@code queue}. */
    private static void requireNoSegments(Path directory) throws IOException {
        List<Path> segments = segments(directory);
        if (!segments.isEmpty()) {
            throw Failures.make().corrupt(directory.resolve(QueueFile.NAME), 0,
                    "the file is missing, but there are " + segments.size() + " segments beside it");
        }
    }

    /** Refuses the directory of a RocksDB database, because deleting the queue or the database may delete the other. */
    private static void requireNoDatabase(Path directory) {
        if (Files.exists(directory.resolve("CURRENT")) && Files.exists(directory.resolve("IDENTITY"))) {
            throw Failures.make().refused(
                    "There is a RocksDB database in " + directory + "; give the queue a directory of its own");
        }
    }

    public Path directory() {
        return directory;
    }

    public Path groups() {
        return directory.resolve("groups");
    }

    public long queueId() {
        return file.slot().queueId();
    }

    public QueueFile file() {
        return file;
    }

    public int segmentSize() {
        return (int) file.slot().segmentSize();
    }

    /** Lists the files of the segments in the order of their offsets. */
    public static List<Path> segments(Path directory) throws IOException {
        List<Path> found = list(directory, "*" + SEGMENT);
        found.removeIf(path -> offset(path) < 0);
        return found;
    }

    /** Lists the files of a directory that match a glob, in the order of their names. */
    public static List<Path> list(Path directory, String glob) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
            files.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        found.sort(null);
        return found;
    }

    /** Returns the offset in a segment's name, or -1 if it is no such name. */
    public static long offset(Path path) {
        String name = String.valueOf(path.getFileName());
        // Digits only: parsing takes signs, too, and then two files would have one offset.
        if (!NAME.matcher(name).matches()) {
            return -1;
        }
        try {
            return Long.parseLong(name, 0, DIGITS, 10);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public static Path segment(Path directory, long offset) {
        // Without a format, which is slow in the interpreter and would be most of the time of rolling.
        String digits = Long.toString(offset);
        return directory.resolve("0".repeat(DIGITS - digits.length()) + digits + SEGMENT);
    }

    /**
     * Makes a segment from a spare. {@code before} is the base offset of the segment before it, or -1 if there is none. A later write that
     * calls a record durable also forces the segment's header and name.
     */
    public SegmentFile begin(long baseOffset, long before, long start, long millis) throws IOException {
        requireOwn();
        Path path = segment(directory, baseOffset);
        SegmentHeader header = new SegmentHeader(queueId(), 0, baseOffset, segmentSize(), millis, before + 1);
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            SegmentFile begun = begin(takeSpare(), path, header, start);
            if (begun != null) {
                return begun;
            }
        }
        throw new IOException("files of " + directory + " that end in " + SPARE
                + " are removed or changed as soon as they are made. See which program does that");
    }

    /**
     * Checks that this process still owns the queue. Not for each append, because it takes system calls.
     *
     * @throws QueuePoisonedException if the queue may belong to another process by now
     */
    private void requireOwn() throws IOException {
        Path identity = directory.resolve(QueueFile.NAME);
        if (!file.isAt(identity)) {
            throw lost(identity);
        }
        if (lock.mayBeLost()) {
            throw lost(directory.resolve("lock"));
        }
    }

    private RuntimeException lost(Path path) {
        return Failures.make().poisoned("The file " + path
                + " was removed, replaced or cut off while the queue was open. Another process may have opened the queue"
                + " since. Nothing more is appended. Close the queue, and look at the files in " + directory,
                null);
    }

    /** Returns null if the spare's file was removed or changed; the caller then takes another one. */
    private @Nullable SegmentFile begin(Spare spare, Path path, SegmentHeader header, long start) throws IOException {
        boolean isByAppends = !spare.isReady && isPreparedByAppends();
        SegmentFile segment = null;
        boolean isKept = true;
        try {
            // It may also have been truncated before it was mapped.
            isKept = spare.file.memory().byteSize() == segmentSize() && spare.file.isAt(spare.path);
            if (isKept) {
                if (isByAppends) {
                    // Before the header is written: for that, the kernel would prepare more than this step.
                    spare.file.populateOneByOne(0, Math.min(SegmentPages.STEP, segmentSize()));
                }
                SegmentFile begun = SegmentFile.begin(spare.file, path, header.ofGeneration(spare.generation), start);
                if (isByAppends) {
                    begun.pages.preparedByAppends();
                }
                Files.move(spare.path, path, StandardCopyOption.ATOMIC_MOVE);
                segment = begun;
            }
        } catch (NoSuchFileException | InternalError e) {
            // Removed or truncated at this moment.
            isKept = false;
        } finally {
            if (!isKept) {
                spare.file.close();
                deleteSpare(spare.path);
            } else if (segment == null) {
                addSpare(spare);
            }
        }
        return segment;
    }

    private static void deleteSpare(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // A directory by now, for example. The next opening reports it.
        }
    }

    private Spare takeSpare() throws IOException {
        Spare spare = anySpare();
        if (spare != null) {
            return spare;
        }
        try {
            return newSpare();
        } catch (IOException e) {
            // Perhaps the spare that is being prepared takes the last space.
            synchronized (making) {
                Spare prepared = anySpare();
                return prepared != null ? prepared : newSpare();
            }
        }
    }

    private @Nullable Spare anySpare() {
        synchronized (spares) {
            return spares.poll();
        }
    }

    private Spare newSpare() throws IOException {
        long generation = random.nextLong();
        Path path = createSpare();
        MappedFile file = openSpare(path);
        boolean isHuge = !isDurable;
        if (isHuge) {
            // Also for appends before it is prepared.
            file.useHugePages();
        }
        return new Spare(file, path, generation, false, isHuge);
    }

    private Path createSpare() throws IOException {
        Path path = nextName();
        MappedFile.create(path, segmentSize());
        return path;
    }

    private Path nextName() {
        synchronized (spares) {
            Path path;
            do {
                path = directory.resolve(++spareNumber + SPARE);
                // A file of that name is foreign. The next opening deletes it.
            } while (Files.exists(path, LinkOption.NOFOLLOW_LINKS));
            return path;
        }
    }

    /** Maps a spare, or deletes it. */
    private static MappedFile openSpare(Path path) throws IOException {
        try {
            return MappedFile.open(path);
        } catch (Throwable e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    /** Stores durably how far records are on the disk. */
    public synchronized void writeSynced(long durable, long cleanPosition) throws IOException {
        file.write(file.slot().withSynced(durable, cleanPosition));
    }

    /** Changes the file {@code queue}, durably. */
    public synchronized void writeFile(UnaryOperator<QueueFile.Slot> change) throws IOException {
        file.write(change.apply(file.slot()));
    }

    /** Moves an unusable file to the quarantine. */
    public void quarantine(Path path) throws IOException {
        Path aside = Files.createDirectories(directory.resolve("quarantine"));
        Files.move(path, aside.resolve(path.getFileName() + "-" + System.currentTimeMillis()),
                StandardCopyOption.ATOMIC_MOVE);
        fsyncDirectory(aside);
        fsyncDirectory(directory);
        System.getLogger("dev.outcrop.queue.QueueDirectory").log(System.Logger.Level.WARNING,
                path + " is no part of the queue that a power cut has left, and was moved to " + aside);
    }

    /** Sets the action of {@link #prepareAnother()}, which makes another thread call {@link #prepare} soon. */
    public void preparing(Runnable wake) {
        preparing = wake;
    }

    /** Asks for another spare. */
    public void prepareAnother() {
        Runnable wake = preparing;
        if (wake != null) {
            wake.run();
        }
    }

    /**
     * Prepares a spare, if none is ready.
     *
     * @param goOn asked again and again, because preparing takes long
     */
    public void prepare(BooleanSupplier goOn) throws IOException {
        synchronized (making) {
            Spare first;
            synchronized (spares) {
                first = spares.peek();
                if (first != null && first.isReady && !isUnfit(first)) {
                    return;
                }
                first = spares.poll();
            }
            Spare spare = first != null ? first : newSpare();
            boolean isHuge = spare.isHuge;
            try {
                if (goOn.getAsBoolean() && isUnfit(spare)) {
                    useSmallPages(spare.file, spare.path, () -> 0, goOn);
                    isHuge = false;
                }
                populate(spare.file, 0, goOn);
            } finally {
                // Even after a failure: pages are also prepared when they are written to.
                addSpare(new Spare(spare.file, spare.path, spare.generation, true,
                        isHuge || spare.file.usesHugePages()));
            }
        }
    }

    private boolean isUnfit(Spare spare) {
        return isDurable && spare.isHuge;
    }

    /**
     * Prepares the pages of a file from a position on, in steps of some milliseconds. One by one if records have to be durable, because
     * then the time of each write matters more; otherwise in huge pages, which also makes reading cheaper.
     *
     * @param goOn asked before each step
     */
    public void populate(MappedFile file, long from, BooleanSupplier goOn) {
        long size = file.memory().byteSize();
        if (!isDurable) {
            file.useHugePages();
        }
        long to;
        for (long at = from; at < size && goOn.getAsBoolean(); at = to) {
            if (isDurable) {
                to = Math.min(size, at + SegmentPages.STEP);
                file.populateOneByOne(at, to);
            } else {
                to = Math.min(size, at + STEP);
                file.populate(at, to);
            }
        }
    }

    /**
     * Gives up the huge pages of a file from a position on, in steps, each of which waits for the disk. Keeps the page of the position.
     * Ends with the first step that fails: the system would not report the failure to the next step, which would drop what could not be
     * written.
     *
     * @param path the file's present name
     * @param from where to begin, asked before each step, because later records are left alone
     * @param goOn asked before each step
     */
    void useSmallPages(MappedFile file, Path path, LongSupplier from, BooleanSupplier goOn) {
        long size = file.memory().byteSize();
        long at = from.getAsLong();
        boolean isFine = true;
        while (isFine && at < size && goOn.getAsBoolean()) {
            long to = Math.min(size, (at / STEP + 1) * STEP);
            isFine = file.useSmallPages(path, at, to);
            at = Math.max(to, from.getAsLong());
        }
    }

    /** Prepares files for durable records from now on. */
    public void expectDurable() {
        if (!isDurable) {
            isDurable = true;
            prepareAnother();
        }
    }

    /** Whether records have to be durable. */
    public boolean isDurable() {
        return isDurable;
    }

    /** Whether appends prepare pages, and not the kernel when a page is written to. */
    public boolean isPreparedByAppends() {
        return isAlone || isDurable;
    }

    /**
     * Makes a spare of a segment, or deletes it if there are enough. A spare stays mapped with its pages, so the next use has little to
     * prepare.
     */
    public void giveBack(SegmentFile segment) throws IOException {
        boolean isSpare = false;
        try {
            if (isNeeded(segment)) {
                Path path = nextName();
                Spare spare = new Spare(segment.file, path, random.nextLong(), false, mayBeInHugePages(segment.file));
                Files.move(segment.path, path, StandardCopyOption.ATOMIC_MOVE);
                isSpare = true;
                addSpare(spare);
            } else {
                Files.deleteIfExists(segment.path);
            }
        } finally {
            if (!isSpare) {
                segment.file.close();
            }
        }
    }

    private boolean isNeeded(SegmentFile segment) {
        synchronized (spares) {
            if (spares.size() >= MOST_SPARES) {
                return false;
            }
        }
        if (isDurable && mayBeInHugePages(segment.file)) {
            // Each record would be written with a huge page.
            return false;
        }
        // If it was truncated, its space is not reserved.
        return segment.size == segmentSize() && segment.file.isAt(segment.path);
    }

    /** Whether a file may have huge pages. This opening knows its own; the pages of an earlier one may still be in memory. */
    public static boolean mayBeInHugePages(MappedFile file) {
        boolean isFromBefore = offset(file.path()) >= 0;
        return isFromBefore || file.usesHugePages();
    }

    private void addSpare(Spare spare) {
        synchronized (spares) {
            if (spare.isReady) {
                spares.addFirst(spare);
            } else {
                spares.addLast(spare);
            }
        }
    }

    /**
     * Deletes the spares of an earlier process. After a power cut, a spare may be a segment that has lost its name. The offsets of its
     * records are given away again, so its records could be taken for the new ones.
     */
    public void deleteSpares() throws IOException {
        for (Path path : list(directory, "*" + SPARE)) {
            if (isSpare(path)) {
                Files.delete(path);
            }
        }
    }

    /** Lists what is in the way: a file where a directory should be, or a directory with the name of a spare. */
    public static List<Path> obstacles(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : List.of("groups", "tailers")) {
            Path path = directory.resolve(name);
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(path)) {
                found.add(path);
            }
        }
        for (Path path : list(directory, "*" + SPARE)) {
            if (isSpare(path) && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                found.add(path);
            }
        }
        return found;
    }

    /** Whether a file was made by {@link #newSpare} or {@link #giveBack}. */
    private static boolean isSpare(Path path) {
        return SPARE_NAME.matcher(String.valueOf(path.getFileName())).matches();
    }

    /** Forces the names in a directory to the disk. */
    public static void fsyncDirectory(Path directory) throws IOException {
        MappedFile.forceDirectory(directory);
    }

    /** Unmaps the spares and releases the lock. */
    @Override
    public void close() throws IOException {
        // Releases the lock in any case, or the queue could not be opened as long as this process lives.
        try (lock) {
            synchronized (spares) {
                spares.forEach(spare -> spare.file.close());
                spares.clear();
            }
            file.close();
        }
    }
}
