package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettersSourceTest {

    private static final OptionObject OPTIONS = OptionObject.ALL.getFirst();
    private static final Path JAVA_CLASSES = Path.of("..", "..", "lib", "rocksdb", "src", "main", "java", "dev",
            "outcrop",
            "rocksdb");
    private static final Path ENGINE = Path.of("..", "..", "lib", "rocksdb-engine", "src", "main", "java");

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
        assertThat(options("set_some_size  void  rocksdb_options_t *  o  size_t  v",
                "set_ttl  void  rocksdb_options_t *  o  uint64_t  v",
                "set_max_open_files  void  rocksdb_options_t *  o  int  v"))
                .contains("(changing(), OptionValues.notNegative(\"some_size\", value));")
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
                facts("set_environment  void  rocksdb_options_t *  o  rocksdb_env_t *  env",
                        "get_info_log  rocksdb_logger_t *  rocksdb_options_t *  o",
                        "set_env  void  rocksdb_options_t *  o  rocksdb_env_t *  env",
                        "destroy  void  rocksdb_options_t *  o"));

        assertThat(source.skipped()).containsExactly("rocksdb_options_set_environment: takes rocksdb_env_t *",
                "rocksdb_options_get_info_log: Java has the logger that it set");
    }

    @Test
    void everyFunctionOfAnObjectIsAMethodOrListed() {
        Facts facts = Tables.real();
        for (OptionObject object : OptionObject.ALL) {
            SettersSource source = new SettersSource(object, facts);
            Set<String> skipped = source.skipped().stream().map(line -> line.split(":", 2)[0])
                    .collect(Collectors.toSet());
            List<String> missing = facts.functions().values().stream().filter(object::owns)
                    .filter(function -> !OptionFunctions.isHandWritten(object, function)).map(CFunction::name)
                    .filter(name -> source.text().contains("CApi." + name + "(") == skipped.contains(name)).toList();

            assertThat(missing).as(object.cType()).isEmpty();
        }
    }

    @Test
    void everyHandWrittenFunctionIsCalledByTheClassOfItsObjectOrByTheEngine() throws IOException {
        List<String> checked = new ArrayList<>();
        String engine = engine();
        for (OptionObject object : OptionObject.ALL) {
            String source = handWritten(object.javaName()) + engine;
            for (CFunction function : Tables.real().functions().values()) {
                if (object.owns(function) && OptionFunctions.isHandWritten(object, function)) {
                    assertThat(source).containsPattern("\\b" + function.name() + "\\b");
                    checked.add(function.name());
                }
            }
        }
        assertThat(checked).hasSizeGreaterThan(2 * OptionObject.ALL.size()).doesNotHaveDuplicates();
    }

    private static String engine() throws IOException {
        StringBuilder sources = new StringBuilder(Files.readString(Path.of("facts", "calls.tsv")));
        try (Stream<Path> files = Files.walk(ENGINE)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                sources.append(Files.readString(file));
            }
        }
        return sources.toString();
    }

    /** The source of a class, and of the hand-written classes that it extends. */
    private static String handWritten(String name) throws IOException {
        String source = Files.readString(JAVA_CLASSES.resolve(name + ".java"));
        Matcher superclass = Pattern.compile("class " + name + " extends (\\w+)").matcher(source);
        return superclass.find() && Files.exists(JAVA_CLASSES.resolve(superclass.group(1) + ".java"))
                ? source + handWritten(superclass.group(1))
                : source;
    }

    @Test
    void everyFunctionThatIsNamedIsInTheTable() {
        assertThat(Tables.real().functions().keySet()).containsAll(OptionFunctions.all());
    }

    @Test
    void ofEveryObjectWithOptionsThereIsAClass() {
        Set<String> known = OptionObject.ALL.stream().map(OptionObject::cType).collect(Collectors.toSet());

        assertThat(Tables.real().opaques().stream().filter(type -> type.matches(".*options(_override)?_t")))
                .isSubsetOf(known);
    }

    @Test
    void aFractionARangeATimeAndASetOfFlags() {
        String text = options("set_growth  void  rocksdb_options_t *  o  double  v",
                "set_num_stripes  void  rocksdb_options_t *  o  size_t  v",
                "set_io_timeout  void  rocksdb_options_t *  o  uint64_t  v",
                "get_io_timeout  uint64_t  rocksdb_options_t *  o",
                "set_verify_output_flags  void  rocksdb_options_t *  o  uint32_t  v",
                "get_verify_output_flags  uint32_t  rocksdb_options_t *  o");

        assertThat(text).contains("(changing(), OptionValues.finite(\"growth\", value));")
                .contains("(changing(), OptionValues.inRange(\"num_stripes\", value, 1L, 1048576L));")
                .contains("not below 1 and not above 1048576")
                .contains("public Options ioTimeout(Duration value) {").contains("public Duration ioTimeout() {")
                .contains("public Options verifyOutputFlags(Set<VerifyOutputFlag> value) {")
                .contains("public Set<VerifyOutputFlag> verifyOutputFlags() {");
    }

    @Test
    void timesInTheirUnits() {
        String text = options("set_stats_dump_period_sec  void  rocksdb_options_t *  o  unsigned int  v",
                "get_WAL_ttl_seconds  uint64_t  rocksdb_options_t *  o",
                "set_WAL_ttl_seconds  void  rocksdb_options_t *  o  uint64_t  v",
                "set_lock_timeout  void  rocksdb_options_t *  o  int64_t  v");

        assertThat(text)
                .contains("OptionValues.intCount(\"stats_dump_period_sec\", value, TimeUnit.SECONDS)")
                .contains("OptionValues.count(\"WAL_ttl_seconds\", value, TimeUnit.SECONDS)")
                .contains("not with a fraction of a second, and not negative")
                .contains("OptionValues.signedCount(\"lock_timeout\", value, TimeUnit.MILLISECONDS)")
                .contains("public Duration WALTtlSeconds() {")
                .contains("TimeUnit.SECONDS.convert(WALTtlSeconds())");
    }

    /** A unit is part of a setting's name, unless a number has a meaning that a length of time has not. */
    @Test
    void everyOptionThatNamesAUnitIsATime() {
        assertThat(Tables.real().functions().values()).filteredOn(function -> OptionObject.ALL.stream()
                .anyMatch(object -> object.owns(function) && function.name().startsWith(object.prefix() + "set_")))
                .extracting(function -> function.name().replaceFirst(".*_set_", ""))
                .filteredOn(name -> name.matches(".*_(sec|seconds|ms|millis|us|usec|micros)|.*timeout"))
                .filteredOn(name -> OptionNotes.unit(name).isEmpty())
                .containsExactly("periodic_compaction_seconds");
    }

    @Test
    void anEnumPassesInTheTypeThatCHasForIt() {
        assertThat(options("set_checksum  void  rocksdb_options_t *  o  char  v",
                "get_checksum  int  rocksdb_options_t *  o"))
                .contains("CApi.rocksdb_options_set_checksum(changing(), (byte) value.value());")
                .contains("return ChecksumType.of(CApi.rocksdb_options_get_checksum(reading()));");
    }

    @Test
    void everyOptionWithANoteIsInTheTable() {
        Set<String> functions = Tables.real().functions().keySet();

        assertThat(Stream.concat(OptionNotes.times().stream(),
                OptionEnum.ALL.stream().flatMap(type -> type.options().stream())))
                .allSatisfy(option -> assertThat(functions).anyMatch(name -> name.endsWith("_" + option)));
    }

    private static String options(String... functions) {
        return new SettersSource(OPTIONS, facts(functions)).text();
    }

    private static Facts facts(String... functions) {
        return Tables.of(Stream
                .concat(Stream.of("opaque  rocksdb_options_t", "opaque  rocksdb_env_t", "opaque  rocksdb_comparator_t"),
                        Stream.of(functions).map(f -> "function  rocksdb_options_" + f))
                .toArray(String[]::new));
    }
}
