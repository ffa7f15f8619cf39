package dev.outcrop.memory;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.memory.Posix.Advice;
import dev.outcrop.programs.FillDisk;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.GarbageStarts;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The effect of the calls on real files, as the JDK's own file classes and the kernel's account of pages see it. */
class PosixTest {
    private static final int MIB = 1 << 20;
    /** Of what something outside of the test may disturb. */
    private static final int MOST_ROUNDS = 1_000;

    @TempDir
    Path directory;

    @Test
    void openedFileIsTheOneThatWasNamed() throws IOException {
        Path path = directory.resolve("größe €");
        try (NativeFile file = Posix.open(path, WRITE, CREATE_NEW)) {
            assertThat(path).isEmptyFile();
            assertThat(file.path()).isEqualTo(path);
            Posix.fallocate(file, 0, 10);
        }
        assertThat(path).hasSize(10);
        Posix.open(path, READ, TRUNCATE_EXISTING).close();
        assertThat(path).hasSize(10);
        Posix.open(path, WRITE, CREATE).close();
        assertThat(path).hasSize(10);
        Posix.open(path, READ, WRITE, TRUNCATE_EXISTING).close();
        assertThat(path).isEmptyFile();
    }

    /** Other file systems take only names that are text. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aNameThatIsNoTextIsAName() throws IOException {
        Path odd = Path.of(URI.create(directory.toUri() + "%FF%C3%20%25"));
        Path file = Files.createDirectory(odd).resolve("größe");
        Posix.open(file, WRITE, CREATE_NEW).close();
        Posix.fsyncDirectory(odd);
        try (Stream<Path> made = Files.walk(directory)) {
            assertThat(made).containsExactly(directory, odd, file);
        }
        Path missing = odd.resolve("missing");
        assertThatThrownBy(() -> Posix.open(missing, READ)).isInstanceOf(ErrnoException.class)
                .hasMessageContaining("ENOENT");
    }

    @Test
    void descriptorIsGivenBackOnClose() throws IOException {
        boolean isGivenBack = false;
        for (int i = 0; i < MOST_ROUNDS && !isGivenBack; i++) { // Another thread may be the next one to open something.
            NativeFile file = Posix.open(directory, READ);
            int fd = file.fd();
            file.close();
            file.close();
            try (NativeFile next = Posix.open(directory, READ)) {
                isGivenBack = next.fd() == fd;
                assertThatThrownBy(() -> Posix.fdatasync(file)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("file " + directory);
            }
        }
        assertThat(isGivenBack).isTrue();
    }

    @Test
    void aLockBelongsToOneOpeningOfTheFile() throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        try (NativeFile second = Posix.open(path, READ)) {
            try (NativeFile first = Posix.open(path, READ)) {
                assertThat(Posix.tryLock(first)).isTrue();
                assertThat(Posix.tryLock(first)).isTrue();
                assertThat(Posix.tryLock(second)).isFalse();
                Posix.open(path, READ).close();
                assertThat(Posix.tryLock(second)).as("after another one was closed").isFalse();
            }
            assertThat(Posix.tryLock(second)).isTrue();
        }
    }

    @Test
    void holesAreSkipped() throws IOException {
        Path path = directory.resolve("file");
        long far = 1L << 30;
        try (FileChannel channel = FileChannel.open(path, CREATE_NEW, WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[]{1}), far);
        }
        try (NativeFile file = Posix.open(path, READ)) {
            // A file system that does not know of holes has none.
            assertThat(Posix.nextData(file, 0)).isBetween(0L, far);
            assertThat(Posix.nextData(file, far)).isEqualTo(far);
            assertThat(Posix.nextData(file, far + 1)).isEqualTo(-1);
        }
    }

    @Test
    void fallocateMakesRangeOfZeros() throws IOException {
        Path path = Files.write(directory.resolve("file"), new byte[]{1, 2, 3});
        try (NativeFile file = Posix.open(path, WRITE)) {
            Posix.fallocate(file, 1, 5);
            assertThat(path).hasBinaryContent(new byte[]{1, 2, 3, 0, 0, 0});
            Posix.fallocate(file, 0, 2);
            assertThat(path).hasSize(6);
        }
    }

    @Test
    @Tag("verify")
    @EnabledOnOs(OS.LINUX)
    void fullDiskIsReportedBeforeAnythingIsWritten() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount a file system");
        String output = ChildJvm.shortLived().withDisk(directory, "size=1m")
                .run(FillDisk.class, directory.toString()).output();
        assertThat(output).contains("first: reserved, 786432 bytes")
                .contains(
                        "second: dev.outcrop.memory.ErrnoException: fallocate failed on " + directory.resolve("second")
                                + ": ENOSPC (No space left on device). Free space",
                        "second")
                .doesNotContain("524288")
                .contains("sparse: dev.outcrop.memory.ErrnoException: madvise(POPULATE_WRITE) failed on "
                        + directory.resolve("sparse") + ": EFAULT (Bad address). Part of the mapped range",
                        "disk is full");
    }

    @Test
    void errorsNameCallPathAndErrno() throws IOException {
        Path missing = directory.resolve("missing");
        ErrnoException noEntry = failure(() -> Posix.open(missing, READ));
        assertThat(noEntry).hasMessage("open failed on " + missing + ": ENOENT (No such file or directory)."
                + " The file, or a directory on the way to it, does not exist.");
        assertThat(noEntry.errno()).isEqualTo(2);
        assertThat(noEntry.name()).isEqualTo("ENOENT");

        Path path = Files.createFile(directory.resolve("file"));
        assertThat(failure(() -> Posix.open(path, WRITE, CREATE_NEW)).name()).isEqualTo("EEXIST");
        assertThat(failure(() -> Posix.open(directory, WRITE)).name()).isEqualTo("EISDIR");
        assertThat(failure(() -> Posix.fsyncDirectory(missing))).hasMessageContaining("open failed on " + missing);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void kernelsVerdictOnDescriptorsAndValuesIsReported() throws IOException {
        Path path = Files.createFile(directory.resolve("file"));
        try (NativeFile readOnly = Posix.open(path, READ); NativeFile writable = Posix.open(path, WRITE)) {
            assertThat(failure(() -> Posix.fallocate(readOnly, 0, 1)))
                    .hasMessageStartingWith("fallocate failed on " + path + ": EBADF (Bad file descriptor).");
            assertThat(failure(() -> Posix.fallocate(writable, 0, 0)))
                    .hasMessageStartingWith("fallocate failed on " + path + ": EINVAL (Invalid argument).");
            assertThat(failure(() -> Posix.fallocate(writable, 0, Long.MAX_VALUE)).name()).isEqualTo("EFBIG");
        }
        Path device = Path.of("/dev/null");
        try (NativeFile file = Posix.open(device, WRITE)) {
            assertThat(failure(() -> Posix.fdatasync(file)))
                    .hasMessageStartingWith("fdatasync failed on /dev/null: EINVAL");
            assertThat(failure(() -> Posix.fsync(file))).hasMessageStartingWith("fsync failed on /dev/null: EINVAL");
        }
    }

    @Test
    void otherOptionsAndFileSystemsAreRefused() {
        assertThatThrownBy(() -> Posix.open(directory.resolve("file"), APPEND))
                .isInstanceOf(UnsupportedOperationException.class).hasMessageContaining("APPEND");
        Path inJdk = Path.of(URI.create("jrt:/java.base/module-info.class"));
        assertThatThrownBy(() -> Posix.open(inJdk, READ)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void dirtyPagesAreCleanAfterwards() throws IOException {
        assumeTrue(!Files.getFileStore(directory).type().equals("tmpfs"), "tmpfs has no device to write to");
        try (Mapping mapping = new Mapping(directory.resolve("file"), MIB);
                NativeFile file = Posix.open(directory.resolve("file"), WRITE)) {
            long page = Posix.pageSize();

            mapping.requireAccount(MIB - 2 * page, () -> {
                mapping.segment.fill((byte) 1);
                Posix.msync(mapping.segment.asSlice(page, page + 1), mapping.path);
            }, "Private_Dirty", "Shared_Dirty");
            Posix.msync(mapping.segment, mapping.path);
            assertThat(mapping.account("Private_Dirty", "Shared_Dirty")).isZero();

            mapping.segment.fill((byte) 2);
            Posix.fdatasync(file);
            assertThat(mapping.account("Private_Dirty", "Shared_Dirty")).isZero();

            mapping.segment.fill((byte) 3);
            Posix.fsync(file);
            assertThat(mapping.account("Private_Dirty", "Shared_Dirty")).isZero();
        }
        Posix.fsyncDirectory(directory);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void pagesAreDroppedThatAreOnTheDeviceAndNotMapped() throws IOException {
        assumeTrue(!Files.getFileStore(directory).type().equals("tmpfs"), "tmpfs has no device to read from");
        // Large, because other threads may read something, too.
        int size = 8 * MIB;
        Path path = Files.write(directory.resolve("file"), new byte[size]);
        try (NativeFile file = Posix.open(path, WRITE)) {
            Posix.writeBack(file, 0, size / 2);
            Posix.writeBack(file, size / 2, 0);
            Posix.dropCached(file, 0, 0);
            assertThat(readFromDevice(path)).isGreaterThanOrEqualTo(size);
            Posix.dropCached(file, size / 2, size / 2);
            assertThat(readFromDevice(path)).isBetween(size / 2L, size - 1L);
        }
        Path other = directory.resolve("mapped");
        try (Mapping mapping = new Mapping(other, size); NativeFile file = Posix.open(other, WRITE)) {
            mapping.segment.fill((byte) 0);
            Posix.msync(mapping.segment, mapping.path);
            Posix.dropCached(file, 0, 0);
            assertThat(readFromDevice(other)).as("mapped").isLessThan(size);
        }
        NativeFile closed = Posix.open(path, WRITE);
        closed.close();
        assertThatThrownBy(() -> Posix.dropCached(closed, 0, 0)).isInstanceOf(IllegalStateException.class);
    }

    /** How many bytes come from the device when a file is read. */
    private static long readFromDevice(Path path) throws IOException {
        long before = fromDevice();
        byte[] content = Files.readAllBytes(path);
        assertThat(Arrays.equals(content, new byte[content.length])).as("zeros").isTrue();
        return fromDevice() - before;
    }

    private static long fromDevice() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(each -> each.startsWith("read_bytes:")).findFirst().orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void adviceReachesTheKernel() throws IOException {
        try (Mapping mapping = new Mapping(directory.resolve("file"), MIB)) {
            assertThat(mapping.account("Rss")).isZero();
            Call writing = () -> Posix.madvise(mapping.segment.asSlice(MIB / 2), Advice.POPULATE_WRITE, mapping.path);
            mapping.requireAccount(MIB / 2, writing, "Rss");
            mapping.requireAccount(MIB / 2, writing, "Private_Dirty", "Shared_Dirty");
            mapping.requireAccount(MIB, () -> Posix.madvise(mapping.segment, Advice.POPULATE_READ, mapping.path),
                    "Rss");
            Posix.madvise(mapping.segment, Advice.DONTNEED, mapping.path);
            assertThat(mapping.account("Rss")).isZero();

            Posix.madvise(mapping.segment, Advice.SEQUENTIAL, mapping.path);
            assertThat(mapping.flags()).contains("sr").doesNotContain("rr");
            Posix.madvise(mapping.segment, Advice.RANDOM, mapping.path);
            assertThat(mapping.flags()).contains("rr").doesNotContain("sr");
            Posix.madvise(mapping.segment, Advice.NORMAL, mapping.path);
            assertThat(mapping.flags()).doesNotContain("sr", "rr");
            Posix.madvise(mapping.segment, Advice.WILLNEED, mapping.path);
            assumeTrue(Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")), "no huge pages");
            Posix.madvise(mapping.segment, Advice.HUGEPAGE, mapping.path);
            assertThat(mapping.flags()).contains("hg").doesNotContain("nh");
            Posix.madvise(mapping.segment, Advice.NOHUGEPAGE, mapping.path);
            assertThat(mapping.flags()).contains("nh").doesNotContain("hg");
        }
    }

    @Test
    void mistakesWithSegmentsAreExceptions() throws IOException {
        Path path = directory.resolve("file");
        try (Mapping mapping = new Mapping(path, MIB); Arena arena = Arena.ofConfined()) {
            MemorySegment malloc = arena.allocate(MIB);
            // Taking such pages away would damage malloc's own records.
            assertThatIllegalArgumentException().isThrownBy(() -> Posix.madvise(malloc, Advice.DONTNEED, path))
                    .withMessageContaining("FileChannel.map");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Posix.msync(MemorySegment.ofArray(new byte[9]), path));
            assertThat(failure(() -> Posix.msync(mapping.segment.asSlice(1), path)))
                    .hasMessageStartingWith("msync failed on " + path + ": EINVAL")
                    .hasMessageContaining("multiple of the page size");
            assertThat(failure(() -> Posix.madvise(mapping.segment.asSlice(1), Advice.WILLNEED, path)))
                    .hasMessageStartingWith("madvise(WILLNEED) failed on " + path + ": EINVAL")
                    .hasMessageContaining("multiple of the page size");
        }
        MemorySegment unmapped;
        try (Mapping mapping = new Mapping(directory.resolve("closed"), MIB)) {
            unmapped = mapping.segment;
        }
        assertThatThrownBy(() -> Posix.msync(unmapped, path)).isInstanceOf(IllegalStateException.class);
    }

    @Tag("verify")
    @Test
    void successfulCallsAllocateNothing() throws Exception {
        Path inMemory = Path.of("/dev/shm");
        // Thousands of calls: there is no need to wait for a disk that often.
        Path path = Files.createTempDirectory(Files.isWritable(inMemory) ? inMemory : directory, "outcrop")
                .resolve("file");
        List<String> none = List.of("madvise 0, msync 0, fdatasync 0, fallocate 0");
        try {
            GarbageStarts.require(none::equals, _ -> {
                Files.deleteIfExists(path);
                // Alone in its JVM, with -Xbatch: see ScratchGarbageTest.
                return ChildJvm.withNativeAccess().option("-Xbatch").lines(GarbageProgram.class, path);
            });
        } finally {
            Files.deleteIfExists(path);
            Files.delete(path.getParent());
        }
    }

    /** Prints the least garbage of many rounds of each call. */
    static final class GarbageProgram {
        private static final int ROUNDS = 2000;

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            try (Mapping mapping = new Mapping(path, MIB); NativeFile file = Posix.open(path, WRITE)) {
                System.out
                        .println("madvise " + leastAllocated(() -> Posix.madvise(mapping.segment, Advice.NORMAL, path))
                                + ", msync " + leastAllocated(() -> Posix.msync(mapping.segment, path))
                                + ", fdatasync " + leastAllocated(() -> Posix.fdatasync(file))
                                + ", fallocate " + leastAllocated(() -> Posix.fallocate(file, 0, 1)));
            }
        }

        /** Bytes on the heap for 100 calls, once they are compiled. */
        private static long leastAllocated(Call call) throws IOException {
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 100; i++) {
                    call.run();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            return least;
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    private static ErrnoException failure(Call call) {
        ErrnoException failure = catchThrowableOfType(ErrnoException.class, call::run);
        assertThat(failure).isNotNull();
        return failure;
    }

    /** A new file of zeros, mapped, with the kernel's account of its pages from /proc/self/smaps. */
    private static final class Mapping implements AutoCloseable {
        final Path path;
        final MemorySegment segment;
        private final Arena arena = Arena.ofShared();

        Mapping(Path path, long bytes) throws IOException {
            this.path = path;
            try (FileChannel channel = FileChannel.open(path, CREATE_NEW, READ, WRITE)) {
                segment = channel.map(MapMode.READ_WRITE, 0, bytes, arena);
            }
        }

        /** The sum of some lines, in bytes, over all parts into which different advice has split the mapping. */
        long account(String... names) throws IOException {
            long sum = 0;
            for (String name : names) {
                sum += lines(name).mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", ""))).sum();
            }
            return sum;
        }

        /** Again and again if need be: the kernel writes pages back, which cleans them, and takes some away, when it likes. */
        void requireAccount(long bytes, Call call, String... names) throws IOException {
            long found = -1;
            for (int i = 0; i < MOST_ROUNDS && found != bytes; i++) {
                call.run();
                found = account(names);
            }
            assertThat(found).isEqualTo(bytes);
        }

        String flags() throws IOException {
            return lines("VmFlags").collect(Collectors.joining());
        }

        private Stream<String> lines(String name) throws IOException {
            boolean[] inside = {false};
            return Files.readAllLines(Path.of("/proc/self/smaps")).stream().filter(line -> {
                if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                    inside[0] = line.endsWith(path.toString());
                }
                return inside[0] && line.startsWith(name + ":");
            });
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
