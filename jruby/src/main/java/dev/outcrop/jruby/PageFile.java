package dev.outcrop.jruby;

import dev.outcrop.memory.MappedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens the files of pages. */
final class PageFile {
    private PageFile() {
    }

    /** A page with records in it: its file must be there. */
    static Mapping open(Path path, int pageSize) throws IOException {
        if (!Files.exists(path)) {
            throw new PageException(
                    "the page file " + path + " is missing, although the metadata says that it holds records");
        }
        if (Files.size(path) != pageSize) {
            throw new PageException(
                    "the page file " + path + " has " + Files.size(path) + " bytes, but page_size is " + pageSize);
        }
        return Mapping.open(path, pageSize);
    }

    /** A page that is about to be used; it may have been left here before. */
    static Mapping create(Path path, int pageSize) throws IOException {
        if (!Files.exists(path) || Files.size(path) != pageSize) {
            // Its own page, of another size or cut off while it was created; nothing in it is in use.
            Files.deleteIfExists(path);
            // With its space reserved, so that storing a record cannot fail for lack of it.
            MappedFile.create(path, pageSize);
        }
        return Mapping.open(path, pageSize);
    }
}
