package dev.outcrop.benchmarks.dropin;

import java.nio.file.Path;

/**
 * What a program needs to know. Loaded with each library, so it has only what the JDK has.
 *
 * @param operation  name of the {@link DropinOperation}
 * @param directory  where the program may make databases
 * @param keys       how many keys there are
 * @param valueBytes size of every value
 */
record ProgramSetup(String operation, Path directory, int keys, int valueBytes) {
    static final int KEY_BYTES = 16;

    DropinOperation is() {
        return DropinOperation.valueOf(operation);
    }
}
