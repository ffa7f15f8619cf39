package org.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** What a native writer of table files has plain pointers to: an env, and the rate limiter of the options of files. */
final class SstWriterParts {

    private final List<Object> kept = new ArrayList<>();

    SstWriterParts(SstFileWriter writer) {
    }

    void takeFrom(EnvOptionParts environment) {
        kept.add(environment.hold());
    }

    void takeFrom(OptionParts options) {
        kept.addAll(options.callbacks());
    }
}
