package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CCallbacksSourceTest {

    @Test
    void aCallbackIsAConstantWithItsSignature() {
        String source = new CCallbacksSource(Tables.of(
                "callback  create.compare  int  void *  state  const char *  a  size_t  alen",
                "callback  done_cb  void  unsigned char  flag")).text();

        assertThat(source).startsWith("// Generated from rocksdb-c-api.tsv; do not edit.\n")
                .contains("/** {@code int compare(void *state, const char *a, size_t alen)}. */")
                .contains("CREATE_COMPARE = FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);")
                .contains("DONE_CB = FunctionDescriptor.ofVoid(JAVA_BYTE);");
    }

    @Test
    void eachCallbackOfTheTableIsThere() {
        assertThat(new CCallbacksSource(Tables.real()).text().lines()
                .filter(line -> line.contains("public static final FunctionDescriptor")))
                .hasSameSizeAs(Tables.real().callbacks().keySet()).hasSize(65);
    }
}
