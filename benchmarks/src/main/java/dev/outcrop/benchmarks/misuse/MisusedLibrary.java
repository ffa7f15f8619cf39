package dev.outcrop.benchmarks.misuse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A library, used wrongly. */
interface MisusedLibrary {
    /** Keys and values of the databases, by number. */
    int ENTRIES = 1000;
    /** Large enough that some of the values are in table files and some in memory. */
    int VALUE_BYTES = 500;

    /** Prepares a mistake in a new database; returns null if this library has nothing to close there. */
    @Nullable
    Steps prepare(Mistake mistake, Path directory) throws Exception;

    /**
     * Continues as programs do after they have closed something: opens another database, fills and closes it. So freed memory is used for
     * something else.
     */
    void doSomethingElse(Path directory) throws Exception;

    /** A key. */
    static byte[] key(int i) {
        return ("key" + i).getBytes(StandardCharsets.UTF_8);
    }
}
