package dev.outcrop.programs;

import dev.outcrop.memory.NativeFile;
import dev.outcrop.memory.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reserves more than a file system of 1 MiB has, in the directory that it is given, and prints what happens. */
public final class FillDisk {
    private FillDisk() {
    }

    static void main(String[] arguments) throws IOException {
        Path first = Path.of(arguments[0], "first");
        Path second = Path.of(arguments[0], "second");
        System.out.println("first: " + reserve(first, 768 << 10) + ", " + Files.size(first) + " bytes");
        System.out.println("second: " + reserve(second, 512 << 10) + ", " + Files.size(second) + " bytes");
        System.out.println("sparse: " + populate(Path.of(arguments[0], "sparse"), 512 << 10));
    }

    private static String reserve(Path path, long bytes) throws IOException {
        try (NativeFile file = Posix.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            Posix.fallocate(file, 0, bytes);
            return "reserved";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String populate(Path path, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE); Arena arena = Arena.ofConfined()) {
            MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, bytes, arena);
            Posix.madvise(mapped, Posix.Advice.POPULATE_WRITE, path);
            return "populated";
        } catch (IOException e) {
            return e.toString();
        }
    }
}
