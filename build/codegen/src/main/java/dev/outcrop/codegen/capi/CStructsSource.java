package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.Facts.CField;
import dev.outcrop.codegen.capi.Facts.CStruct;
import java.util.Locale;
import java.util.stream.Collectors;

/** The source of class {@code CStructs}: the memory layouts of the structs that have a definition in the header. */
record CStructsSource(Facts facts) {

    String text() {
        return """
                %s
                package dev.outcrop.rocksdb.engine.capi;

                import static java.lang.foreign.ValueLayout.*;

                import java.lang.foreign.MemoryLayout;
                import java.lang.foreign.StructLayout;

                /** The layouts of the structs of the C API of RocksDB %s whose fields are public. */
                public final class CStructs {

                    private CStructs() {
                    }
                %s}
                """.formatted(Sources.HEADER, facts.version(),
                facts.structs().values().stream().map(this::struct).collect(Collectors.joining()));
    }

    private String struct(CStruct struct) {
        String constant = struct.name().toUpperCase(Locale.ROOT);
        StringBuilder members = new StringBuilder();
        StringBuilder offsets = new StringBuilder();
        long end = 0;
        for (CField field : struct.fields()) {
            members.append(padding(field.offset() - end));
            String layout = new Types(facts).result(field.type()).layout();
            members.append("%s.withName(\"%s\"), ".formatted(layout, field.name()));
            offsets.append("""

                        /** Offset in bytes of {@code %s %s}. */
                        public static final long %s_%s = %d;
                    """.formatted(field.type(), field.name(), constant, field.name().toUpperCase(Locale.ROOT),
                    field.offset()));
            end = field.offset() + width(layout);
        }
        members.append(padding(struct.size() - end));
        return """

                    /** The layout of {@code %s}: %d bytes, aligned to %d. */
                    public static final StructLayout %s = MemoryLayout.structLayout(%s).withName("%s");
                %s""".formatted(struct.name(), struct.size(), struct.align(), constant,
                members.substring(0, members.length() - 2), struct.name(), offsets);
    }

    private static String padding(long bytes) {
        return bytes == 0 ? "" : "MemoryLayout.paddingLayout(%d), ".formatted(bytes);
    }

    private static int width(String layout) {
        return switch (layout) {
            case "JAVA_BYTE", "JAVA_BOOLEAN" -> 1;
            case "JAVA_INT" -> 4;
            case "JAVA_LONG", "JAVA_DOUBLE" -> 8;
            default -> throw new IllegalArgumentException("the width of " + layout + " is not known");
        };
    }
}
