package dev.outcrop.codegen.capi;

/** What the generated sources have in common. */
final class Sources {

    /** The first line of every generated file. */
    static final String HEADER = "// Generated from rocksdb-c-api.tsv; do not edit.";

    private Sources() {
    }
}
