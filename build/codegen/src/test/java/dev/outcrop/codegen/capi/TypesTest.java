package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypesTest {

    private final Types types = new Types(Tables.of("opaque  rocksdb_t", "struct  rocksdb_slice_t  16  8",
            "field  data  const char *  0", "field  size  size_t  8", "callback  done_cb  void  void *  state"));

    @ParameterizedTest
    @CsvSource({"rocksdb_t *,long", "const rocksdb_t *,long", "void *,long", "const char *,MemorySegment",
            "char **,long", "size_t *,long", "rocksdb_t **,long",
            "const rocksdb_t *const *,long", "const rocksdb_slice_t *,long", "done_cb,MemorySegment",
            "'void (*)(void *, int)',MemorySegment", "size_t,long", "uint32_t,int", "unsigned char,byte",
            "bool,boolean",
            "double,double"})
    void parameters(String cType, String javaType) {
        assertThat(types.parameter(cType).name()).isEqualTo(javaType);
    }

    @ParameterizedTest
    @CsvSource({"rocksdb_t *,long", "char *,long", "char **,long", "uint64_t,long", "rocksdb_slice_t,MemorySegment"})
    void results(String cType, String javaType) {
        assertThat(types.result(cType).name()).isEqualTo(javaType);
    }

    @Test
    void refusesATypeThatItDoesNotKnow() {
        assertThatThrownBy(() -> types.parameter("long double")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'long double'");
    }
}
