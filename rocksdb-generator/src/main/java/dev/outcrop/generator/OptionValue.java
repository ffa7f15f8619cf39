package dev.outcrop.generator;

import java.util.Optional;
import java.util.Set;

/**
 * How a value of an option passes between Java and C.
 *
 * <p>Unsigned C types become the signed Java type of the same width, and negative values are refused; {@link OptionNotes}
 * knows the few options for which one negative value has a meaning.
 */
sealed interface OptionValue {

    /** C types without a sign, as wide as their Java types. */
    Set<String> UNSIGNED = Set.of("size_t", "uint64_t", "uint32_t", "unsigned int");

    /** The Java type. */
    String javaType();

    /** The expression that is passed to C, for a Java variable. */
    String toC(String option, String variable);

    /** The expression that makes the Java value of C's. */
    String fromC(String expression);

    /** What the documentation adds about the value; may be empty. */
    default String remark(String option) {
        return "";
    }

    /** A number. */
    record Numeric(String javaType, boolean unsigned) implements OptionValue {

        @Override
        public String toC(String option, String variable) {
            if (!unsigned) {
                return OptionNotes.atMost(option)
                        .map(most -> "OptionValues.inRange(\"%s\", %s, 1, %d)".formatted(option, variable, most))
                        .orElse(variable);
            }
            return OptionNotes.special(option)
                    .map(special -> "OptionValues.notNegativeExcept(%dL, \"%s\", %s)".formatted(special.value(), option,
                            variable))
                    .orElse("OptionValues.notNegative(\"%s\", %s)".formatted(option, variable));
        }

        @Override
        public String fromC(String expression) {
            return expression;
        }

        @Override
        public String remark(String option) {
            if (!unsigned) {
                return OptionNotes.atMost(option).map("; not below 1 and at most %d"::formatted).orElse("");
            }
            return OptionNotes.special(option)
                    .map(special -> "; not negative, except that %d %s".formatted(special.value(), special.meaning()))
                    .orElse("; not negative");
        }
    }

    /** A number in one unsigned byte; Java has an int for it. */
    record UnsignedByte() implements OptionValue {

        @Override
        public String javaType() {
            return "int";
        }

        @Override
        public String toC(String option, String variable) {
            return "OptionValues.unsignedByte(\"%s\", %s)".formatted(option, variable);
        }

        @Override
        public String fromC(String expression) {
            return "Byte.toUnsignedInt(" + expression + ")";
        }

        @Override
        public String remark(String option) {
            return "; not negative, at most 255";
        }
    }

    /** A truth value, in C of some integer type. */
    record Truth(String cJavaType) implements OptionValue {

        @Override
        public String javaType() {
            return "boolean";
        }

        @Override
        public String toC(String option, String variable) {
            return switch (cJavaType) {
                case "boolean" -> variable;
                case "int" -> variable + " ? 1 : 0";
                default -> "(%s) (%s ? 1 : 0)".formatted(cJavaType, variable);
            };
        }

        @Override
        public String fromC(String expression) {
            return cJavaType.equals("boolean") ? expression : expression + " != 0";
        }
    }

    /** A constant of an enum, in C its number. */
    record Constant(OptionEnum type) implements OptionValue {

        @Override
        public String javaType() {
            return type.javaName();
        }

        @Override
        public String toC(String option, String variable) {
            return variable + ".value()";
        }

        @Override
        public String fromC(String expression) {
            return type.javaName() + ".of(" + expression + ")";
        }
    }

    /** The value of a C type; empty if it is no plain value, but points to something. */
    static Optional<OptionValue> of(String option, String cType) {
        if (!Types.isNumber(cType)) {
            return Optional.empty();
        }
        String javaType = Types.number(cType).name();
        if (javaType.equals("boolean") || cType.equals("unsigned char") || OptionNotes.isBoolean(option)) {
            return Optional.of(new Truth(javaType));
        }
        if (cType.equals("int") && OptionNotes.enumOf(option).isPresent()) {
            return OptionNotes.enumOf(option).map(Constant::new);
        }
        if (cType.equals("uint8_t")) {
            return Optional.of(new UnsignedByte());
        }
        return Optional.of(new Numeric(javaType, UNSIGNED.contains(cType)));
    }
}
