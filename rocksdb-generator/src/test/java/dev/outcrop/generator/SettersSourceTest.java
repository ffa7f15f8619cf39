package dev.outcrop.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettersSourceTest {

    private static final OptionObject OPTIONS = OptionObject.ALL.getFirst();

    @Test
    void aTruthValue() {
        assertThat(options("set_create_if_missing  void  rocksdb_options_t *  o  unsigned char  v",
                "get_create_if_missing  unsigned char  rocksdb_options_t *  o"))
                .contains("public Options createIfMissing(boolean value) {")
                .contains("CApi.rocksdb_options_set_create_if_missing(changing(), (byte) (value ? 1 : 0));")
                .contains("public boolean createIfMissing() {")
                .contains("return CApi.rocksdb_options_get_create_if_missing(reading()) != 0;");
    }

    @Test
    void anUnsignedNumberIsNotNegativeUnlessItsOptionGivesThatAMeaning() {
        assertThat(options("set_block_size  void  rocksdb_options_t *  o  size_t  v",
                "set_ttl  void  rocksdb_options_t *  o  uint64_t  v",
                "set_max_open_files  void  rocksdb_options_t *  o  int  v"))
                .contains("(changing(), OptionValues.notNegative(\"block_size\", value));")
                .contains("(changing(), OptionValues.notNegativeExcept(-2L, \"ttl\", value));")
                .contains("rocksdb_options_set_max_open_files(changing(), value);");
    }

    @Test
    void anEnumAndAString() {
        assertThat(options("set_compression  void  rocksdb_options_t *  o  int  v",
                "get_compression  int  rocksdb_options_t *  o",
                "set_wal_dir  void  rocksdb_options_t *  o  const char *  v"))
                .contains("public Options compression(CompressionType value) {")
                .contains("return CompressionType.of(CApi.rocksdb_options_get_compression(reading()));")
                .contains("public Options walDir(String value) {");
    }

    @Test
    void whatCannotBeGeneratedIsListedWithAReason() {
        SettersSource source = new SettersSource(OPTIONS,
                facts("set_env  void  rocksdb_options_t *  o  rocksdb_env_t *  env",
                        "destroy  void  rocksdb_options_t *  o"));

        assertThat(source.skipped()).containsExactly("rocksdb_options_set_env: takes rocksdb_env_t *",
                "rocksdb_options_destroy: belongs to the life of the object, not to its options");
    }

    @Test
    void everyFunctionOfAnObjectIsAMethodOrListed() {
        Facts facts = Tables.real();
        for (OptionObject object : OptionObject.ALL) {
            SettersSource source = new SettersSource(object, facts);
            Set<String> skipped = source.skipped().stream().map(line -> line.split(":", 2)[0])
                    .collect(Collectors.toSet());
            List<String> missing = facts.functions().values().stream().filter(object::owns).map(CFunction::name)
                    .filter(name -> source.text().contains("CApi." + name + "(") == skipped.contains(name)).toList();

            assertThat(missing).as(object.cType()).isEmpty();
        }
    }

    @Test
    void everyOptionWithANoteIsInTheTable() {
        Set<String> functions = Tables.real().functions().keySet();

        assertThat(OptionEnum.ALL.stream().flatMap(type -> type.options().stream()))
                .allSatisfy(option -> assertThat(functions).anyMatch(name -> name.endsWith("_" + option)));
    }

    private static String options(String... functions) {
        return new SettersSource(OPTIONS, facts(functions)).text();
    }

    private static Facts facts(String... functions) {
        return Tables.of(Stream.concat(Stream.of("opaque  rocksdb_options_t", "opaque  rocksdb_env_t"),
                Stream.of(functions).map(f -> "function  rocksdb_options_" + f)).toArray(String[]::new));
    }
}
