package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each number that a program can set does what it does with the published jar, unless the process would end. */
@Tag("verify")
class NumbersTest extends DatabaseTest {
    /** Cases that differ on purpose, or by chance, with why. */
    private static final Map<String, String> DIFFERENT = Map.of(
            "ReadOptions.set(Deadline|IoTimeout) .*|TransactionOptions.setExpiration \\d{1,5}", "time passes",
            "BlockBasedTableConfig.setFormatVersion -.*", "the published class asserts, and RocksDB refuses it anyway",
            "RateLimiter.setBytesPerSecond 1", "what waits for the limiter would wait without end",
            "CompactionOptionsFIFO.setMax(Table|Data)FilesSize .*", "files are deleted in the background",
            "CompactionOptionsUniversal.set(MinMergeWidth (-.*|2147483647)|MaxMergeWidth [01])",
            "with more flushes writes would wait without end",
            "PlainTableConfig.setBloomBitsPerKey -.*|PlainTableConfig.setHashTableRatio (-1.0|4.9E-324)",
            "with more keys the process would end",
            "HashLinkedListMemTableConfig.setBucketCount 0", "the published jar reads memory that is none of its own",
            "setOptions.setLevel0FileNumCompactionTrigger 2147483647|setDBOptions.setDelayedWriteRate 0",
            "with more writes these would wait without end, or the process would end");

    @Test
    void numbersDoWhatTheyDoWithThePublishedJar() throws Exception {
        int interval = TestSize.choose("outcrop.numbers.interval", 20, 1);
        int first = (int) (TestSize.seed(NumbersTest.class) % interval);
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Map<String, String> published = PublishedJvm.run(NumbersReport.class, directory, theirs.toString(),
                "" + interval, "" + first);
        Map<String, String> here = NumbersReport.report(ours, interval, first);
        assertThat(here).hasSizeGreaterThan(1000 / interval).containsOnlyKeys(published.keySet());
        Map<String, String> wrong = new TreeMap<>();
        here.forEach((key, value) -> {
            if (!value.equals(published.get(key)) && DIFFERENT.keySet().stream().noneMatch(key::matches)) {
                wrong.put(key, "published " + published.get(key) + ", here " + value);
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void numbersThatEndTheProcessWithThePublishedJarAreRefusedByName() throws Exception {
        Map<String, String> expected = NumbersReport.fatal();
        assertThat(NumbersReport.reportFatal(directory)).hasSizeGreaterThan(100).allSatisfy((key, result) -> {
            if ("works".equals(expected.get(key))) {
                assertThat(result).as(key).doesNotContain("Exception").doesNotContain("Error");
            } else {
                String value = key.substring(key.lastIndexOf(' ') + 1);
                assertThat(result).as(key).contains("IllegalArgumentException", expected.get(key), value);
            }
        });
    }
}
