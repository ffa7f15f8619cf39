package dev.outcrop.codegen.capi;

/** The common part of the generated sources. */
final class Sources {

    /** The first line of every generated file. */
    static final String HEADER = "// Generated from rocksdb-c-api.tsv; do not edit.";

    private Sources() {
    }
}
