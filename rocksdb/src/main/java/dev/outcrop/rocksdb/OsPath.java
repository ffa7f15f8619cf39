package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;

/** Paths and names as the C API takes them. */
final class OsPath {
    private OsPath() {
    }

    /** The path, absolute; RocksDB knows no other files than the operating system's. */
    static Path require(Path path) {
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException("RocksDB reaches only the files of the operating system, but the path "
                    + path + " belongs to " + path.getFileSystem().provider());
        }
        return path.toAbsolutePath().normalize();
    }

    static MemorySegment in(Scratch scratch, Path path) {
        return scratch.allocateFrom(require(path).toString());
    }

    /** A {@code char *[]}; refuses NUL characters, at which C would cut. */
    static MemorySegment array(Scratch scratch, String what, List<String> strings) {
        MemorySegment array = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, strings.size()));
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i,
                    OptionValues.text(what, strings.get(i), scratch).address());
        }
        return array;
    }
}
