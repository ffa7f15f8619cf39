package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.codegen.capi.Facts.CField;
import dev.outcrop.codegen.capi.Facts.CStruct;
import org.junit.jupiter.api.Test;

class FactsTest {

    @Test
    void readsEachKindOfRow() {
        Facts facts = Tables.of("opaque  rocksdb_t", "struct  pair_t  16  8", "field  first  char  0",
                "field  second  size_t  8", "enum  color_*", "constant  color_red  3",
                "callback  done_cb  void  void *  state",
                "function  rocksdb_close  void  rocksdb_t *  db", "cxxenum  Color", "constant  kRed  4");

        assertThat(facts.version()).isEqualTo("1.2.3");
        assertThat(facts.opaques()).containsExactly("rocksdb_t");
        assertThat(facts.structs().values()).flatExtracting(CStruct::fields)
                .containsExactly(new CField("first", "char", 0), new CField("second", "size_t", 8));
        assertThat(facts.enums()).singleElement().extracting(e -> e.value("color_red")).isEqualTo(3L);
        assertThat(facts.cxxEnum("Color").value("kRed")).isEqualTo(4L);
        assertThat(facts.callbacks()).containsOnlyKeys("done_cb");
        assertThat(facts.functions().values()).extracting(CFunction::prototype)
                .containsExactly("void rocksdb_close(rocksdb_t *db)");
    }

    @Test
    void namesTheRowThatItCannotRead() {
        assertThatThrownBy(() -> Tables.of("opaque  rocksdb_t", "functoin  rocksdb_close  void"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(".tsv:3:")
                .hasMessageContaining("functoin");
        assertThatThrownBy(() -> Tables.of("function  f  void  int")).hasMessageContaining("function\tf\tvoid\tint")
                .hasRootCauseMessage("a parameter has a type but no name");
        assertThatThrownBy(() -> Tables.of("constant  lost  1")).hasMessageContaining("lost");
    }

    @Test
    void prototypePutsTheNameOfAFunctionPointerInside() {
        assertThat(Tables.of("function  each  void  void *  state  void (*)(void *, int)  visit").functions().values())
                .extracting(CFunction::prototype).containsExactly("void each(void *state, void (*visit)(void *, int))");
    }
}
