package dev.outcrop.queue;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Power cuts behind the events of a {@link DiskTrace}, one after the other, for several tests. */
final class PowerCuts {
    /** How many the power is cut at, at least, if there are so many. */
    private static final int MOMENTS = TestSize.choose("outcrop.powercut.moments", 10, Integer.MAX_VALUE);

    private final Path temporary;
    private final long seed;
    private final DiskTrace trace;

    PowerCuts(Path temporary, long seed, DiskTrace trace) {
        this.temporary = temporary;
        this.seed = seed;
        this.trace = trace;
    }

    /** Examines the disk's content, in a directory that is deleted afterwards. */
    interface Check {
        void check(Path image, int event) throws IOException;
    }

    /**
     * Cuts the power behind each of some events, several times; in {@code mvn verify} behind the last one and a few others.
     *
     * @param from    the first one
     * @param which   of them
     * @param choices how many times behind each, with another part of what was not synced each time
     * @param check   what the test demands
     * @return how many such events there are
     */
    int behindEach(int from, Predicate<DiskTrace.Event> which, int choices, Check check) throws IOException {
        Random random = new Random(seed);
        Map<Integer, Integer> syncs = trace.syncs();
        List<Integer> moments = IntStream.range(Math.max(from, trace.initial()), trace.events().size())
                .filter(at -> which.test(trace.events().get(at))).boxed().toList();
        int stride = Math.max(1, moments.size() / MOMENTS);
        int first = random.nextInt(stride);
        int last = moments.size() - 1;
        for (int moment = 0; moment < moments.size(); moment++) {
            // Also the last one, when all is promised.
            if (moment % stride != first && moment != last) {
                continue;
            }
            int at = moments.get(moment);
            for (int i = 0; i < choices; i++) {
                PowerCut cut = new PowerCut(trace, syncs, at, any(PowerCut.Contents.values(), random),
                        any(PowerCut.Names.values(), random), false, random.nextLong());
                Path image = Files.createDirectory(temporary.resolve("image"));
                cut.writeTo(image);
                try {
                    check.check(image, at);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ", " + cut + ": " + e + "\nThe last events were\n"
                            + trace.tail(at, 40), e);
                }
                Sample.delete(image);
            }
        }
        return moments.size();
    }

    static <T> T any(T[] values, Random random) {
        return values[random.nextInt(values.length)];
    }

    /** Events beside marks. */
    static List<Integer> changes(DiskTrace trace) {
        List<Integer> changes = new ArrayList<>();
        for (int i = trace.initial(); i < trace.events().size(); i++) {
            if (isChange(trace.events().get(i))) {
                changes.add(i);
            }
        }
        return changes;
    }

    static boolean isChange(DiskTrace.Event event) {
        return event.kind() != 'M';
    }

    static List<String> marks(DiskTrace trace, int event) {
        return trace.events().subList(0, event + 1).stream().filter(each -> each.kind() == 'M')
                .map(DiskTrace.Event::text).toList();
    }

    /** Writes a mark into the trace of this process; in one call, so that it is one. */
    static void mark(Path marks, String mark) throws IOException {
        Files.writeString(marks, mark, StandardOpenOption.APPEND);
    }

    /** A new directory for disks; in memory, if possible: no power is cut there. */
    static Path directory() throws IOException {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "outcrop-power-cut")
                : Files.createTempDirectory("outcrop-power-cut");
    }

    static QueueOptions options(boolean inBackground) {
        return new QueueOptions().segmentSize(8192).backgroundThread(inBackground);
    }

    /** All that a group is given, which is checked to be intact and in order. Acknowledges nothing. */
    static Map<Long, Payloads.Id> read(Queue queue, String group) {
        Map<Long, Payloads.Id> found = new TreeMap<>();
        long[] last = {-1};
        try (Consumer consumer = queue.group(group).consumer()) {
            Polls.all(consumer, 100, (offset, payload, _) -> {
                if (offset <= last[0]) {
                    throw new AssertionError("record " + offset + " comes after " + last[0]);
                }
                last[0] = offset;
                found.put(offset, Payloads.intact(payload));
            });
        }
        return found;
    }

    /** Runs a program that must end with an exit code. Returns what it has done to the disk. */
    static DiskTrace of(WatchedDisk disk, ChildJvm jvm, int exitCode, Class<?> program, Object... arguments)
            throws Exception {
        ChildJvm.Result result = disk.usedBy(jvm).run(program, arguments);
        if (result.exitCode() != exitCode) {
            throw new AssertionError("exit code " + result.exitCode() + ": " + result.output());
        }
        return DiskTrace.read(disk);
    }
}
