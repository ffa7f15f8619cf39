package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Which pages are prepared for appends, and how; only Linux tells. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class PreparedPagesTest extends QueueFixture {
    private static final int SMALL = 4 << 20;
    private static final int STEPS = 4;
    private static final int ATTEMPTS = 10;
    private static final int LARGE = 64 << 20;
    private static final int DISTANCE = 4 << 20;

    /** Kernels before 5.14 cannot prepare. */
    @BeforeEach
    void requirePreparing() throws IOException {
        Path file = temporary.toRealPath().resolve("file");
        MappedFile.create(file, SMALL);
        try (MappedFile mapped = MappedFile.open(file)) {
            mapped.populate(0, SMALL);
            assumeTrue(bytes(file, "Rss") == SMALL);
        }
    }

    /** Without a background thread: neither each page when it is written to, nor all of the file at once. */
    @Test
    void appendsPrepareSomePagesAtOnce() throws IOException {
        boolean isSome = false;
        for (int i = 0; i < ATTEMPTS && !isSome; i++) {
            isSome = doAppendsPrepareSomePagesAtOnce(temporary.resolve("queue" + i));
        }
        assertThat(isSome).isTrue();
    }

    private static boolean doAppendsPrepareSomePagesAtOnce(Path path) throws IOException {
        try (Queue queue = Queue.open(path, new QueueOptions().segmentSize(SMALL).backgroundThread(false))) {
            Path segment = QueueDirectory.segment(queue.directory(), 0);
            long before = bytes(segment, "Rss");
            int changes = 0;
            while (queue.bytes() < STEPS * (64 << 10)) {
                queue.append(new byte[4000]);
                long now = bytes(segment, "Rss");
                changes += now != before ? 1 : 0;
                before = now;
            }
            System.out.println("PreparedPagesTest: " + changes + " changes, " + before + " bytes in memory");
            // Each record is on another page. Some more than one a step, because the system may take pages away, or map more of them.
            return changes >= 2 && changes <= 3 * STEPS && before >= queue.bytes() / Pages.SIZE * Pages.SIZE
                    && before <= SMALL / 2;
        }
    }

    @Test
    void theBackgroundThreadPreparesAllPages() throws Exception {
        boolean isAll = false;
        // Again if the system has taken pages away.
        for (int i = 0; i < ATTEMPTS && !isAll; i++) {
            try (Queue queue = Queue.open(temporary.resolve("queue" + i), new QueueOptions().segmentSize(SMALL))) {
                queue.append(new byte[8]);
                Polls.waitWhile(() -> !areAllPrepared(queue, SMALL));
                isAll = bytes(QueueDirectory.segment(queue.directory(), 0), "Rss") == SMALL
                        && bytes(spares(queue).getFirst(), "Rss") == SMALL;
            }
        }
        assertThat(isAll).isTrue();
    }

    /** A kernel that reads far ahead makes one large page of many, and writes all of it when a byte of it has changed. */
    @Test
    void durableAppendsMakeOnlyTheirOwnPagesDirty() throws Exception {
        try (Queue queue = Queue.open(directory(),
                new QueueOptions().segmentSize(LARGE).durability(Durability.SYNCED))) {
            queue.append(new byte[8]);
            Path segment = QueueDirectory.segment(queue.directory(), 0);
            // The background thread prepares all of the file, which makes each page one that is to be written.
            Polls.waitWhile(() -> !isPrepared(queue, segment, LARGE));
            long most = 0;
            for (int at = 2 * DISTANCE; at < LARGE; at += DISTANCE) {
                queue.append(new byte[DISTANCE]);
                long before = bytes(segment, "Private_Dirty");
                queue.with(Durability.PAGE_CACHE).append(new byte[8]);
                most = Math.max(most, bytes(segment, "Private_Dirty") - before);
            }
            assertThat(most).isLessThanOrEqualTo(64 << 10);
        }
    }

    /** So the kernel maps 2 MB at once, also for later readers. */
    @Test
    void recordsThatNeedNotBeDurableAreKeptInHugePages() throws Exception {
        requireHugePages();
        Path path = directory();
        QueueOptions options = new QueueOptions().segmentSize(SMALL);
        try (Queue queue = Queue.open(path, options.backgroundThread(false))) {
            queue.append(new byte[8]);
            assertThat(isHuge(QueueDirectory.segment(queue.directory(), 0))).isTrue();
        }
        try (Queue queue = Queue.open(path, options.backgroundThread(true))) {
            queue.append(new byte[8]);
            // One that another opening has made is asked for when the background thread comes to it.
            Polls.waitWhile(() -> !isHuge(QueueDirectory.segment(queue.directory(), 0)) || spares(queue).isEmpty()
                    || !isHuge(spares(queue).getFirst()));
        }
    }

    /** A record would be written to the disk with 2 MB around it. */
    @Test
    void durableRecordsAreNotKeptInHugePages() throws Exception {
        requireHugePages();
        try (Queue queue = Queue.open(directory(),
                new QueueOptions().segmentSize(SMALL).durability(Durability.SYNCED))) {
            queue.append(new byte[8]);
            Path segment = QueueDirectory.segment(queue.directory(), 0);
            Polls.waitWhile(() -> !areAllPrepared(queue, SMALL));
            assertThat(isHuge(segment)).isFalse();
            assertThat(isHuge(spares(queue).getFirst())).isFalse();
        }
    }

    @Test
    void hugePagesAreGivenUpWhenRecordsHaveToBeDurable() throws Exception {
        requireHugePages();
        try (Queue queue = Queue.open(directory(), new QueueOptions().segmentSize(SMALL));
                Consumer consumer = queue.group("group").consumer()) {
            fillSegment(queue);
            consume(consumer);
            queue.with(Durability.SYNCED).append(new byte[8]);
            for (int i = 0; i < 5; i++) {
                fillSegment(queue);
                consume(consumer);
            }
            long last = queue.nextOffset() - 1;
            // The background thread changes what it has prepared before.
            Polls.waitWhile(() -> queue.firstOffset() < last - SMALL / 4024 || spares(queue).isEmpty()
                    || isAnyHuge(queue));
        }
    }

    private static boolean isAnyHuge(Queue queue) throws IOException {
        List<Path> files = new ArrayList<>(Sample.files(queue.directory(), ".segment"));
        files.addAll(spares(queue));
        for (Path file : files) {
            if (isHuge(file)) {
                return true;
            }
        }
        return false;
    }

    /** Also in the file that is in use by then; otherwise each durable record up to its end would be written with 2 MB around it. */
    @Test
    void fileInUseGivesUpHugePagesWhenRecordsHaveToBeDurable() throws Exception {
        requireHugePages();
        try (Queue queue = Queue.open(directory(), new QueueOptions().segmentSize(LARGE))) {
            queue.append(new byte[DISTANCE]);
            Polls.waitWhile(() -> !areAllPrepared(queue, LARGE));
            requireSmallPagesOnceDurable(queue);
        }
    }

    /** This opening does not know the pages of the file. */
    @Test
    @Tag("nightly")
    void fileOfAnEarlierOpeningGivesUpHugePages() throws Exception {
        requireHugePages();
        QueueOptions options = new QueueOptions().segmentSize(LARGE);
        Path path = directory();
        try (Queue queue = Queue.open(path, options)) {
            queue.append(new byte[DISTANCE]);
            Polls.waitWhile(() -> !areAllPrepared(queue, LARGE));
        }
        try (Queue queue = Queue.open(path, options)) {
            requireSmallPagesOnceDurable(queue);
        }
    }

    private static void requireSmallPagesOnceDurable(Queue queue) throws Exception {
        Path segment = QueueDirectory.segment(queue.directory(), 0);
        queue.with(Durability.SYNCED).append(new byte[8]);
        // Of the mapping, the kernel says so before the pages are small.
        Polls.waitWhile(() -> isHuge(segment) || spares(queue).isEmpty() || isHuge(spares(queue).getFirst())
                || bytes(spares(queue).getFirst(), "FilePmdMapped") > 0 || !areAllPrepared(queue, LARGE));
        queue.append(new byte[DISTANCE]);
        assertThat(writtenWithAnAppend(queue)).isLessThanOrEqualTo(64 << 10);
        queue.append(new byte[LARGE - 6 * DISTANCE]);
        queue.append(new byte[4 * DISTANCE]);
        assertThat(QueueDirectory.segment(queue.directory(), queue.nextOffset() - 1)).exists();
        // Preparing yet another file counts as writing, too.
        Polls.waitWhile(() -> spares(queue).isEmpty() || !isPrepared(queue, spares(queue).getFirst(), LARGE));
        assertThat(writtenWithAnAppend(queue)).as("in the next file").isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void filesAreNotWrittenWhenTheQueueIsClosed() throws Exception {
        long before;
        try (Queue queue = Queue.open(directory(), new QueueOptions().segmentSize(LARGE))) {
            queue.append(new byte[8]);
            Polls.waitWhile(() -> !areAllPrepared(queue, LARGE));
            before = written();
        }
        assertThat(written() - before).isLessThan(LARGE / 4);
    }

    /** Returns whether the background thread has prepared the first segment and the next file, and has nothing to do. */
    private static boolean areAllPrepared(Queue queue, int size) throws IOException {
        List<Path> spares = spares(queue);
        return isPrepared(queue, QueueDirectory.segment(queue.directory(), 0), size) && !spares.isEmpty()
                && isPrepared(queue, spares.getFirst(), size);
    }

    /** Does not ask for all pages of the file: the system may take some away when memory is short. */
    private static boolean isPrepared(Queue queue, Path file, int size) throws IOException {
        String name = "outcrop-queue " + queue.directory();
        return bytes(file, "Rss") >= size / 2 && Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name) && thread.getState() == Thread.State.WAITING);
    }

    /** How many bytes have to be written to the disk, as the kernel counts them, after a record was appended to a page that had been. */
    private static long writtenWithAnAppend(Queue queue) throws IOException {
        long least = Long.MAX_VALUE;
        // Other threads may write something, too.
        for (int i = 0; i < 5; i++) {
            queue.with(Durability.SYNCED).append(new byte[8]);
            long before = written();
            queue.append(new byte[8]);
            least = Math.min(least, written() - before);
        }
        return least;
    }

    private static long written() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(each -> each.startsWith("write_bytes:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** Only the opening that has made files knows their pages. */
    @Test
    void durableRecordsDoNotGetFilesOfAnEarlierOpening() throws IOException {
        QueueOptions options = new QueueOptions().segmentSize(SMALL).backgroundThread(false);
        Path path = directory();
        for (Durability durability : List.of(Durability.PAGE_CACHE, Durability.SYNCED)) {
            try (Queue queue = Queue.open(path, options.durability(Durability.PAGE_CACHE));
                    Consumer _ = queue.group("group").consumer()) {
                fillSegment(queue);
            }
            try (Queue queue = Queue.open(path, options.durability(durability));
                    Consumer consumer = queue.group("group").consumer()) {
                consume(consumer);
                assertThat(spares(queue)).hasSize(durability.equals(Durability.PAGE_CACHE) ? 1 : 0);
            }
        }
    }

    /** So nothing has to be prepared again when a file becomes another segment. */
    @Test
    void filesThatAreGivenBackStayMapped() throws IOException {
        long bytes = 0;
        // Again if the system has taken pages away.
        for (int i = 0; i < ATTEMPTS && bytes <= SMALL / 2; i++) {
            bytes = mappedOfTheOneThatIsGivenBack(temporary.resolve("queue" + i));
        }
        assertThat(bytes).isGreaterThan(SMALL / 2);
    }

    private static long mappedOfTheOneThatIsGivenBack(Path path) throws IOException {
        long bytes;
        try (Queue queue = Queue.open(path, new QueueOptions().segmentSize(SMALL).backgroundThread(false));
                Consumer consumer = queue.group("group").consumer()) {
            fillSegment(queue);
            Object file = Files.getAttribute(QueueDirectory.segment(queue.directory(), 0), "unix:ino");
            consume(consumer);
            assertThat(spares(queue)).singleElement()
                    .satisfies(spare -> assertThat(Files.getAttribute(spare, "unix:ino")).isEqualTo(file));
            bytes = bytes(spares(queue).getFirst(), "Rss");
            long next = queue.nextOffset();
            fillSegment(queue);
            assertThat(spares(queue)).isEmpty();
            assertThat(Sample.files(queue.directory(), "")).filteredOn(segment -> QueueDirectory.offset(segment) > next)
                    .singleElement()
                    .satisfies(segment -> assertThat(Files.getAttribute(segment, "unix:ino")).isEqualTo(file));
        }
        return bytes;
    }

    @Test
    void noFileIsPreparedForReaders() throws Exception {
        QueueOptions options = new QueueOptions().segmentSize(SMALL);
        Path path = directory();
        try (Queue queue = Queue.open(path, options); Consumer _ = queue.group("group").consumer()) {
            fillSegment(queue);
        }
        try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("group").consumer()) {
            consume(consumer);
            // The first offset comes before the file has its new name.
            Polls.waitWhile(() -> queue.firstOffset() == 0 || spares(queue).isEmpty());
            // Only the one that was given back.
            assertThat(spares(queue)).hasSize(1);
            queue.append(new byte[8]);
            Path current = Sample.files(queue.directory(), ".segment").getLast();
            Polls.waitWhile(() -> !isPrepared(queue, current, SMALL));
            assertThat(spares(queue)).hasSize(1);
        }
    }

    /** Fills a segment, and appends one record to the next one. */
    private static void fillSegment(Queue queue) {
        for (int i = 0; i <= SMALL / 4024; i++) {
            queue.append(new byte[4000]);
        }
    }

    private static void consume(Consumer consumer) {
        while (consumer.poll(100, Polls.SKIP) > 0) {
            consumer.acknowledgeUpTo(Long.MAX_VALUE);
        }
    }

    private static List<Path> spares(Queue queue) throws IOException {
        return Sample.files(queue.directory(), ".spare");
    }

    private static void requireHugePages() throws IOException {
        Path size = Path.of("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
        assumeTrue(Files.exists(size) && Long.parseLong(Files.readString(size).trim()) == 2 << 20);
    }

    /** Whether the kernel was asked to map huge pages of a file. */
    private static boolean isHuge(Path file) throws IOException {
        List<String> flags = account(file, "VmFlags");
        return !flags.isEmpty() && flags.stream().allMatch(each -> List.of(each.split(" ")).contains("hg"));
    }

    /** A figure of the kernel about the mapping of a file; 0 if it is not mapped. */
    private static long bytes(Path file, String figure) throws IOException {
        return account(file, figure).stream().mapToLong(kilobytes -> Long.parseLong(kilobytes.replaceAll("\\D", "")))
                .sum() << 10;
    }

    /** Returns a figure of each mapping of a file. */
    private static List<String> account(Path file, String what) throws IOException {
        boolean isOfFile = false;
        List<String> found = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            String key = line.substring(0, line.indexOf(' '));
            if (!key.endsWith(":")) {
                isOfFile = line.endsWith(" " + file);
            } else if (isOfFile && key.equals(what + ":")) {
                found.add(line.substring(key.length()));
            }
        }
        return found;
    }
}
