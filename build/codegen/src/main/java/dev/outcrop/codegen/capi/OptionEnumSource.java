package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.Facts.CEnum;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source of the Java enum for an enum of RocksDB. */
record OptionEnumSource(Facts facts, OptionEnum subject) {

    String text() {
        CEnum values = facts.cxxEnum(subject.name());
        String constants = subject.constants().entrySet().stream()
                .map(constant -> constant(constant, values)).collect(Collectors.joining(",\n"));
        return """
                %1$s
                package dev.outcrop.rocksdb;

                /** %2$s RocksDB's name: {@code %3$s}. */
                public enum %4$s {
                %5$s;

                    private static final %4$s[] VALUES = values();

                    private final int value;
                    private final String rocksdbName;

                    %4$s(int value, String rocksdbName) {
                        this.value = value;
                        this.rocksdbName = rocksdbName;
                    }

                    /** RocksDB's name, from its textual form of options. */
                    String rocksdbName() {
                        return rocksdbName;
                    }

                    /** RocksDB's number for it. */
                    int value() {
                        return value;
                    }

                    /** Returns the constant with RocksDB's number. */
                    static %4$s of(int value) {
                        for (%4$s constant : VALUES) {
                            if (constant.value == value) {
                                return constant;
                            }
                        }
                        throw new IllegalStateException("RocksDB's %3$s has the value " + value
                                + ", which this version has no name for");
                    }
                }
                """.formatted(Sources.HEADER, subject.description(), subject.name(), subject.javaName(), constants);
    }

    private static String constant(Map.Entry<String, String> constant, CEnum values) {
        long value = Stream.of(constant.getKey().split("\\|", -1)).mapToLong(values::value)
                .reduce(0, (all, bits) -> all | bits);
        return "    /** RocksDB's {@code %1$s}. */\n    %2$s(%3$d, \"%1$s\")".formatted(constant.getKey(),
                constant.getValue(),
                value);
    }
}
