package dev.outcrop.jruby.mmap;

import dev.outcrop.memory.MappedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens the files of pages. */
final class PageFile {
    private PageFile() {
    }

    /** Opens a page with records. Its file must exist. */
    static FileMapping open(Path path, int pageSize) throws IOException {
        if (!Files.exists(path)) {
            throw new PageException(
                    "the page file " + path + " is missing, although the metadata says that it holds records");
        }
        if (Files.size(path) != pageSize) {
            throw new PageException(
                    "the page file " + path + " has " + Files.size(path) + " bytes, but page_size is " + pageSize);
        }
        return FileMapping.open(path, pageSize);
    }

    /**
     * Tells whether a file is shorter than a page, and shorter than the used part of the page. Then it is not just a page of another size.
     */
    static boolean isCutOff(Path path, int pageSize, int used) throws IOException {
        long size = Files.size(path);
        return size < pageSize && (size <= Pages.OVERHEAD || size < used);
    }

    /**
     * Writes the end mark behind the last whole record of a page that was cut off, and extends the page to its full length. After a kill in
     * between, the file is still too short.
     *
     * @param from where its first record begins
     * @return the fault, as a message for people
     */
    static String restore(Path path, int pageSize, int from) throws IOException {
        int size = (int) Files.size(path);
        int end = end(path, size, from);
        if (end < size && end <= pageSize - Pages.LENGTH_BYTES) {
            try (FileMapping page = FileMapping.open(path, end + Pages.LENGTH_BYTES)) {
                page.putInt(end, 0);
                // The end mark must be on the disk before the file is extended: with zeros in place of its end, a cut-off record would look
                // whole.
                page.force();
            }
        }
        FileMapping.open(path, pageSize).close();
        MappedFile.reserve(path);
        return path + " was cut off after " + size + " of its " + pageSize
                + " bytes, as after a power cut; its last whole record ends at " + Math.min(end, size);
    }

    private static int end(Path path, int size, int from) throws IOException {
        if (from > size - Pages.LENGTH_BYTES) {
            return from;
        }
        int at = from;
        try (FileMapping page = FileMapping.open(path, size)) {
            while (at <= size - Pages.LENGTH_BYTES) {
                int length = page.getInt(at);
                if (length <= 0 || length > size - Pages.LENGTH_BYTES - at) {
                    return at;
                }
                at += Pages.LENGTH_BYTES + length;
            }
            return at;
        }
    }

    /** Opens a page that is about to be used. Its file may be left over from before. */
    static FileMapping create(Path path, int pageSize) throws IOException {
        if (!Files.exists(path) || Files.size(path) != pageSize) {
            // The file of this page, but of another size, or cut off while it was created. It holds nothing that is in use.
            Files.deleteIfExists(path);
            // Reserve the space, so that storing a record cannot fail for lack of space.
            MappedFile.create(path, pageSize);
        }
        return FileMapping.open(path, pageSize);
    }
}
