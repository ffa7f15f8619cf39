package dev.outcrop.generator;

import java.util.List;

/**
 * A C object that holds options, and the Java class for it.
 *
 * @param cType the C type
 * @param prefix what the names of its functions begin with
 * @param javaName the Java class, written by hand, that extends the generated {@code javaName + "Setters"}
 * @param freezes whether it cannot be changed any more once it is in use
 */
record OptionObject(String cType, String prefix, String javaName, boolean freezes) {

    /** The objects that Java classes exist for; one line more is all that another one takes here. */
    static final List<OptionObject> ALL = List.of(
            new OptionObject("rocksdb_options_t", "rocksdb_options_", "Options", false),
            new OptionObject("rocksdb_readoptions_t", "rocksdb_readoptions_", "ReadOptions", true),
            new OptionObject("rocksdb_writeoptions_t", "rocksdb_writeoptions_", "WriteOptions", true));

    /** Whether a function works on this object. */
    boolean owns(CFunction function) {
        return function.name().startsWith(prefix) && !function.parameters().isEmpty()
                && function.parameters().getFirst().type().replace("const ", "").equals(cType + " *");
    }
}
