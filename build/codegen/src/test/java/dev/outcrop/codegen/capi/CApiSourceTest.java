package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CApiSourceTest {

    @Test
    void aFunctionIsAMethodAndAClassThatLinksIt() {
        String source = new CApiSource(Tables.of("opaque  rocksdb_t",
                "function  rocksdb_open  rocksdb_t *  const char *  name  unsigned char  default")).text();

        assertThat(source).startsWith("// Generated from rocksdb-c-api.tsv; do not edit.\n")
                .contains("{@code rocksdb_t *rocksdb_open(const char *name, unsigned char default)}")
                .contains("public static long rocksdb_open(MemorySegment name, byte default_) {")
                .contains("return (long) rocksdb_open.HANDLE.invokeExact(name, default_);")
                .contains("private static final class rocksdb_open {")
                .contains(
                        "Linkage.link(\"rocksdb_open\", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_BYTE), false)");
    }

    @Test
    void aFunctionWithoutResultReturnsNothing() {
        assertThat(new CApiSource(Tables.of("function  rocksdb_free  void  void *  ptr")).text())
                .contains("            rocksdb_free.HANDLE.invokeExact(ptr);\n")
                .contains("FunctionDescriptor.ofVoid(JAVA_LONG)");
    }

    @Test
    void aStructByValueNeedsAnAllocator() {
        assertThat(
                new CApiSource(Tables.of("struct  rocksdb_slice_t  16  8", "function  slice  rocksdb_slice_t")).text())
                .contains("public static MemorySegment slice(SegmentAllocator allocator) {")
                .contains("return (MemorySegment) slice.HANDLE.invokeExact(allocator);")
                .contains("FunctionDescriptor.of(CStructs.ROCKSDB_SLICE_T)");
    }

    @Test
    void onlyListedFunctionsAreCritical() {
        String source = new CApiSource(Tables.real()).text();

        assertThat(source).containsPattern("link\\(\"rocksdb_iter_valid\", .*, true\\)")
                .containsPattern("link\\(\"rocksdb_iter_next\", .*, false\\)");
        assertThat(Tables.real().functions()).containsKeys(CriticalFunctions.names().toArray(String[]::new));
        assertThat(source.lines().filter(line -> line.contains("Linkage.link(") && line.contains(", true)")))
                .hasSize(CriticalFunctions.names().size());
    }
}
