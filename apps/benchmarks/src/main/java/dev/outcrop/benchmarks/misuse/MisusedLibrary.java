package dev.outcrop.benchmarks.misuse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A library that is used wrongly. */
interface MisusedLibrary {
    /** Keys and values of the databases, by number. */
    int ENTRIES = 1000;
    /** Large enough that some of the values are in table files and some in memory. */
    int VALUE_BYTES = 500;
    byte[] KEY = key(1);
    byte[] OTHER_KEY = key(2);

    /** Prepares a mistake in a new database. Returns null if this library has nothing to close there. */
    @Nullable
    Steps prepare(Mistake mistake, Path directory) throws Exception;

    /**
     * Continues like a program that has closed something: opens another database, fills it and closes it. So freed memory is used for
     * something else.
     */
    void doSomethingElse(Path directory) throws Exception;

    static byte[] key(int i) {
        return ("key" + i).getBytes(StandardCharsets.UTF_8);
    }

    /** Something that may fail. */
    interface Step {
        void run() throws Exception;
    }

    /** The steps of a mistake: close an object, and then use it, or an object that belongs to it. */
    record Steps(Step close, Callable<?> use) {
        /** A use that returns nothing. */
        static Steps of(Step close, Step use) {
            return new Steps(close, () -> {
                use.run();
                return "nothing";
            });
        }
    }
}
