package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InfoSourceTest {
    private static final String INFO = "  const rocksdb_compactionjobinfo_t *  info";

    /** The record for the given functions of {@code rocksdb_compactionjobinfo_t}, without line ends and indentation. */
    private static String source(String... functions) {
        InfoObject object = InfoObject.ALL.stream().filter(o -> o.javaName().equals("CompactionJobInfo")).findFirst()
                .orElseThrow();
        String[] rows = Arrays.stream(functions).map(row -> "function  rocksdb_compactionjobinfo_" + row)
                .toArray(String[]::new);
        return new InfoSource(object, Tables.of(rows)).text().replaceAll("\\s+", " ");
    }

    @Test
    void aGetterIsAComponent() {
        assertThat(source("cf_id  uint32_t" + INFO, "aborted  unsigned char" + INFO, "num_files  size_t" + INFO,
                "elapsed_micros  uint64_t" + INFO, "compaction_reason  uint32_t" + INFO))
                .contains("public record CompactionJobInfo( int columnFamilyId, boolean aborted, long numFiles,"
                        + " Duration elapsedTime, CompactionReason compactionReason) {")
                .contains("@param elapsedTime RocksDB's {@code elapsed_micros}")
                .contains("CApi.rocksdb_compactionjobinfo_cf_id(info),")
                .contains("CApi.rocksdb_compactionjobinfo_aborted(info) != 0,")
                .contains("InfoValues.micros(CApi.rocksdb_compactionjobinfo_elapsed_micros(info)),")
                .contains("CompactionReason.of(CApi.rocksdb_compactionjobinfo_compaction_reason(info))");
    }

    @Test
    void aTextAndAStatusAreCopied() {
        assertThat(source("cf_name  const char *" + INFO + "  size_t *  size", "status  void" + INFO
                + "  char **  errptr")).contains("( String columnFamilyName, @Nullable Status status)")
                .contains(
                        "public CompactionJobInfo { Objects.requireNonNull(columnFamilyName, \"columnFamilyName\"); }")
                .contains("InfoValues.string(CApi.rocksdb_compactionjobinfo_cf_name(info,"
                        + " scratch.wordAddress(InfoValues.LENGTH)), scratch)")
                .contains("Status.of(error -> CApi.rocksdb_compactionjobinfo_status(info, error), scratch)");
    }

    @Test
    void whatIsCountedIsAListOrAMap() {
        assertThat(source("input_files_count  size_t" + INFO,
                "input_file_at  const char *" + INFO + "  size_t  pos  size_t *  size",
                "output_file_infos_count  size_t" + INFO,
                "output_file_info_at  const rocksdb_compaction_file_info_t *" + INFO + "  size_t  pos",
                "table_properties_count  size_t" + INFO,
                "table_properties_key_at  const char *" + INFO + "  size_t  pos  size_t *  len",
                "table_properties_value_at  const rocksdb_table_properties_t *" + INFO + "  size_t  pos",
                "blob_count  uint64_t" + INFO))
                .contains("( List<String> inputFiles, List<CompactionFileInfo> outputFileInfos,"
                        + " Map<String, TableProperties> tableProperties, long blobCount)")
                .contains("i -> CompactionFileInfo.of(CApi.rocksdb_compactionjobinfo_output_file_info_at(info, i),"
                        + " scratch)");
    }

    @Test
    void anUnknownKindOfGetterIsNotLeftOut() {
        assertThatIllegalArgumentException().isThrownBy(() -> source("new_thing  rocksdb_new_t *" + INFO))
                .withMessageContaining("rocksdb_compactionjobinfo_new_thing");
    }

    /** Every getter of the real table is read, and no other function of these objects. */
    @Test
    void eachFunctionOfTheseObjectsIsInARecord() {
        Facts facts = Tables.real();
        String sources = InfoObject.ALL.stream().map(object -> new InfoSource(object, facts).text())
                .collect(Collectors.joining());
        List<String> functions = InfoObject.ALL.stream().flatMap(object -> facts.functions().values().stream()
                .filter(f -> f.name().startsWith(object.prefix()) && !f.parameters().isEmpty() && object.owns(f)))
                .map(CFunction::name).toList();

        assertThat(functions).hasSizeGreaterThan(180);
        assertThat(functions).allSatisfy(function -> assertThat(sources).contains("CApi." + function + "(info"));
        assertThat(Stream.of("create", "destroy")).allSatisfy(
                name -> assertThat(sources).doesNotContain("CApi.rocksdb_compactionjobinfo_" + name + "("));
    }
}
