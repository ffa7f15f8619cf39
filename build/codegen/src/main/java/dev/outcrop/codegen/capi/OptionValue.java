package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.OptionNotes.Range;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The conversion of an option's value between Java and C.
 *
 * <p>Unsigned C types become the signed Java type of the same width, and negative values are refused. {@link OptionNotes} knows the few
 * options for which a negative value has a meaning.
 */
sealed interface OptionValue {

    /** C types without a sign, as wide as their Java types. */
    Set<String> UNSIGNED = Set.of("size_t", "uint64_t", "uint32_t", "unsigned int");

    /** The Java type. */
    String javaType();

    /** Returns the argument for C, from a Java variable. */
    String toC(String option, String variable);

    /** Returns the expression for the Java value, from the C value. */
    String fromC(String expression);

    /** Returns the expression for the textual form of a Java value. */
    default String toText(String expression) {
        return "String.valueOf(" + expression + ")";
    }

    /** Returns whether negative values are refused. RocksDB would read them from a text as huge numbers. */
    default boolean isNotNegative(String option) {
        return false;
    }

    /** Returns a remark about the value for the documentation; may be empty. */
    default String remark(String option) {
        return "";
    }

    /** A whole number. */
    record Whole(String javaType, boolean unsigned) implements OptionValue {

        @Override
        public String toC(String option, String variable) {
            Optional<Range> range = OptionNotes.range(option);
            if (range.isPresent()) {
                String suffix = javaType.equals("long") ? "L" : "";
                return "OptionValues.inRange(\"%1$s\", %2$s, %3$s%5$s, %4$s%5$s)".formatted(option, variable,
                        range.get().least(), range.get().most(), suffix);
            }
            if (!unsigned) {
                return variable;
            }
            return OptionNotes.special(option)
                    .map(special -> "OptionValues.notNegativeExcept(%dL, \"%s\", %s)".formatted(special.value(), option,
                            variable))
                    .orElse("OptionValues.notNegative(\"%s\", %s)".formatted(option, variable));
        }

        @Override
        public boolean isNotNegative(String option) {
            return unsigned && OptionNotes.special(option).isEmpty();
        }

        @Override
        public String fromC(String expression) {
            return expression;
        }

        @Override
        public String remark(String option) {
            Optional<Range> range = OptionNotes.range(option);
            if (range.isPresent()) {
                return inRange(range.get());
            }
            if (!unsigned) {
                return "";
            }
            return OptionNotes.special(option)
                    .map(special -> "; not negative, except that %d %s".formatted(special.value(), special.meaning()))
                    .orElse("; not negative");
        }

        private static String inRange(Range range) {
            return "; not below %s and not above %s".formatted(range.least(), range.most());
        }
    }

    /** A floating-point number. RocksDB checks few of these options, and computes with infinity and NaN. */
    record Fraction() implements OptionValue {

        @Override
        public String javaType() {
            return "double";
        }

        @Override
        public String toC(String option, String variable) {
            return OptionNotes.range(option)
                    .map(range -> "OptionValues.inRange(\"%s\", %s, %s, %s)".formatted(option, variable, range.least(),
                            range.most()))
                    .orElse("OptionValues.finite(\"%s\", %s)".formatted(option, variable));
        }

        @Override
        public String fromC(String expression) {
            return expression;
        }

        @Override
        public String remark(String option) {
            return OptionNotes.range(option).map(Whole::inRange).orElse("; not infinite and not NaN");
        }
    }

    /** A number in one unsigned byte. It is an int in Java. */
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

    /** A boolean, which has some integer type in C. */
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

    /** A duration, which is a number of units in C. */
    record Time(TimeUnit unit, String cJavaType) implements OptionValue {

        @Override
        public String javaType() {
            return "Duration";
        }

        @Override
        public String toC(String option, String variable) {
            if (OptionNotes.isLimit(option)) {
                return "OptionValues.microseconds(\"%s\", %s)".formatted(option, variable);
            }
            String check = OptionNotes.negativeTime(option).isPresent()
                    ? "signedCount"
                    : cJavaType.equals("int") ? "intCount" : "count";
            return "OptionValues.%s(\"%s\", %s, TimeUnit.%s)".formatted(check, option, variable, unit.name());
        }

        @Override
        public boolean isNotNegative(String option) {
            return OptionNotes.negativeTime(option).isEmpty();
        }

        @Override
        public String fromC(String expression) {
            return "Duration.of(%s, TimeUnit.%s.toChronoUnit())".formatted(expression, unit.name());
        }

        @Override
        public String toText(String expression) {
            return "String.valueOf(TimeUnit.%s.convert(%s))".formatted(unit.name(), expression);
        }

        @Override
        public String remark(String option) {
            String whole = "; not with a fraction of a "
                    + unit.name().toLowerCase(Locale.ROOT).substring(0, unit.name().length() - 1);
            if (OptionNotes.isLimit(option)) {
                return whole + ", not negative, and zero means no limit";
            }
            return whole + OptionNotes.negativeTime(option).map(meaning -> "; a negative one " + meaning)
                    .orElse(", and not negative");
        }
    }

    /** A constant of an enum, which is its number in C. */
    record Constant(OptionEnum type, String cJavaType) implements OptionValue {

        @Override
        public String javaType() {
            return type.javaName();
        }

        @Override
        public String toC(String option, String variable) {
            return (cJavaType.equals("int") ? "" : "(" + cJavaType + ") ") + variable + ".value()";
        }

        @Override
        public String fromC(String expression) {
            return type.javaName() + ".of(" + expression + ")";
        }

        @Override
        public String toText(String expression) {
            return expression + ".rocksdbName()";
        }
    }

    /** A set of constants of an enum, which is the sum of their bits in C. */
    record Flags(OptionEnum type, String cJavaType) implements OptionValue {

        @Override
        public String javaType() {
            return "Set<" + type.javaName() + ">";
        }

        @Override
        public String toC(String option, String variable) {
            return "OptionValues.bits(%s, %s::value)".formatted(variable, type.javaName());
        }

        @Override
        public String toText(String expression) {
            return "String.valueOf(OptionValues.bits(%s, %s::value))".formatted(expression, type.javaName());
        }

        @Override
        public String fromC(String expression) {
            return "OptionValues.constants(%1$s.class, %2$s(%3$s), %1$s::value)".formatted(type.javaName(),
                    cJavaType.equals("int") ? "" : "Math.toIntExact", expression);
        }
    }

    /** Returns the conversion of a C type; empty for a pointer. */
    static Optional<OptionValue> of(String option, String cType) {
        if (!Types.isNumber(cType)) {
            return Optional.empty();
        }
        String javaType = Types.number(cType).name();
        Optional<OptionEnum> constants = OptionNotes.enumOf(option);
        if (constants.isPresent()) {
            return constants.map(type -> OptionNotes.isFlags(option)
                    ? new Flags(type, javaType)
                    : new Constant(type, javaType));
        }
        if (javaType.equals("boolean") || cType.equals("unsigned char") || OptionNotes.isBoolean(option)) {
            return Optional.of(new Truth(javaType));
        }
        Optional<TimeUnit> unit = OptionNotes.unit(option);
        if (unit.isPresent()) {
            return unit.map(counted -> new Time(counted, javaType));
        }
        if (cType.equals("uint8_t")) {
            return Optional.of(new UnsignedByte());
        }
        if (cType.equals("double")) {
            return Optional.of(new Fraction());
        }
        return Optional.of(new Whole(javaType, UNSIGNED.contains(cType) || OptionNotes.isUnsigned(option)));
    }
}
