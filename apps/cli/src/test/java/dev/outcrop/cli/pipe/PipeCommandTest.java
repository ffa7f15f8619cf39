package dev.outcrop.cli.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./outcrop pipe} with files. */
@Tag("verify")
class PipeCommandTest {
    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    /** A file with one byte a character. */
    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content, StandardCharsets.ISO_8859_1);
    }

    private static void append(Path file, String content) throws IOException {
        Files.writeString(file, content, StandardCharsets.ISO_8859_1, StandardOpenOption.APPEND);
    }

    private Object[] command(Object... args) {
        return Stream.concat(Stream.of("pipe", data()), Arrays.stream(args)).toArray();
    }

    private String ok(Object... args) {
        return Program.ok(command(args));
    }

    private String fails(Object... args) {
        return Program.fails(1, "", command(args)).err();
    }

    private String entries(Object... options) {
        return Program.ok(Stream.concat(Stream.of("db", "scan", data()), Arrays.stream(options)).toArray())
                .replace("\n", " | ").strip();
    }

    private List<String> letters(Path queue) {
        return Program.ok("queue", "dump", queue).lines().map(line -> line.split("\t", 3)[2]).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            x.txt   | k\\tv\\nl\\tw\\tx                             |                              | k:v l:w\\tx
            x.txt   | k\\tv\\r\\n\\r\\n\\nl\\t\\r\\n                 |                              | k:v l:
            x.txt   | \\xef\\xbb\\xbfk\\tv\\n                      |                              | k:v
            x.txt   | \\xef\\xbb\\xbf                             |                              | ``
            x.txt   | k\\tv\\nk\\tw\\n                            |                              | k:w
            x.txt   | \\xff\\xfe\\t\\x00\\x80\\n                  |                              | \\xff\\xfe:\\x00\\x80
            x.txt   | GET /a 200\\nPUT /b 404                     | --key /\\w --value \\d+      | /a:200 /b:404
            x.txt   | id=7 x\\n                                   | --key id=(\\d+)              | 7:id=7 x
            x.csv   | a,b\\n1,2\\n                                |                              | 1:1,2
            x.csv   | a,b\\r\\n1,"2\\r\\n,""3\"""\\r\\n4,5         | --value b                    | 1:2\\r\\n,"3" 4:5
            x.csv   | a,b\\n1,2\\n                                | --key 2 --value a            | 2:1
            x.csv   | 2,1\\nx,y\\n                                | --key 1 --value 2            | y:x
            x.csv   | \\xef\\xbb\\xbf"a",b\\n1,\\xe9\\n           | --key a --value b            | 1:\\xe9
            x.csv   | 1;5" disk\\n                                | --no-header --separator ; --value 2 | 1:5" disk
            x.tsv   | a\\tb\\n1\\t2                               | --format csv --separator \\t --key b | 2:1\\t2
            x.csv   | a,b\\n                                      |                              | ``
            x.jsonl | {"a":{"b":7},"c":"d"}\\r\\n                 | --key a.b                    | 7:{"a":{"b":7},"c":"d"}
            x.json  | {"a":true,"c":{"d":[1.50,null]}}\\n         | --key a --value c            | true:{"d":[1.50,null]}
            x.json  | {"a":12345678901234567890123,"c":0.10}      | --key a --value c            | 12345678901234567890123:0.10
            """)
    void readsEachFormat(String name, String content, String options, String expected) throws IOException {
        List<Object> args = new ArrayList<>(List.of(file(name, unescaped(content)), "--create"));
        if (options != null) {
            args.addAll(Arrays.asList(options.split(" ")));
        }
        ok(args.toArray());
        String found = entries().replace("\t", ":").replace(" | ", " ").replaceFirst(" \\|$", "");
        assertThat(found).isEqualTo(expected.strip());
    }

    private static String unescaped(String text) {
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next != '\\') {
                result.append(next);
                continue;
            }
            switch (text.charAt(++i)) {
                case 't' -> result.append('\t');
                case 'n' -> result.append('\n');
                case 'r' -> result.append('\r');
                default -> {
                    result.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                }
            }
        }
        return result.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            x.txt  | no tab                  |                      | there is no tab between key and value
            x.txt  | \\tv                    |                      | the key is empty
            x.txt  | GET                     | --key \\d            | '\\d' finds nothing
            x.txt  | GET 1                   | --key \\d(x)?        | the group of '\\d(x)?' has found nothing
            x.txt  | \\xff                   | --key .              | it is not UTF-8
            x.csv  | ,2                      | --no-header          | the key is empty
            x.csv  | 1                       | --no-header --key 2  | there is no column 2; it has 1
            x.csv  | "1"x,2                  | --no-header          | it is not CSV
            x.csv  | 1\\r2                   | --no-header          | it is not CSV
            x.json | {"a":1                  | --key a              | it is not a JSON object
            x.json | [1]                     | --key a              | it is not a JSON object
            x.json | null                    | --key a              | not a JSON object
            x.json | {"a":1} {}              | --key a              | there is text behind the JSON object
            x.json | {"a":null}              | --key a              | it has no 'a'
            x.json | {"a":1}                 | --key a.b            | it has no 'a.b'
            x.json | {"a":{}}                | --key a              | its 'a' is not a text
            x.json | {"a":"\\x5cud800"}      | --key a              | half a character
            x.json | {"a":"\\xff"}           | --key a              | it is not UTF-8
            """)
    void whatIsNoEntryStopsOrIsPutAwayOnce(String name, String content, String options, String problem)
            throws IOException {
        String good = name.endsWith("json")
                ? problem.contains("a.b") ? "{\"a\":{\"b\":1}}\n" : "{\"a\":\"k\"}\n"
                : name.endsWith("csv") ? "k,v\n" : "GET 1x\tv\n";
        Path file = file(name, good + unescaped(content) + "\n" + good);
        List<Object> args = new ArrayList<>(List.of(file, "--create"));
        if (options != null) {
            args.addAll(Arrays.asList(options.split(" ")));
        }
        String message = fails(args.toArray());
        assertThat(message).contains("line 2 of " + file + ": ", problem, "all records before it are stored");
        String before = entries();
        assertThat(before).isNotEmpty();
        // Again, and nothing has moved.
        assertThat(fails(args.toArray())).isEqualTo(message);
        Path bad = directory.resolve("bad");
        args.add("--bad");
        args.add(bad);
        assertThat(ok(args.toArray())).contains("1 record is stored; 1 bad one is put away");
        assertThat(ok(args.toArray())).contains("nothing new").doesNotContain("bad");
        assertThat(letters(bad)).hasSize(1).first().asString()
                .contains(", record 1: line 2 of " + file + ": ", problem);
    }

    @Test
    void aQuotationThatDoesNotEndIsBad() throws IOException {
        Path file = file("x.csv", "a,b\n1,\"2\n3,4\n");
        assertThat(fails(file, "--create")).contains("line 2 of ", "a quotation does not end");
        file("x.csv", "a,b\n1,\"2\n3\",4\n");
        assertThat(ok(file, "--create")).startsWith("1 record is stored");
    }

    @Test
    void whatIsTooLongIsBad() throws IOException {
        Path file = file("x.txt", "k\t" + "x".repeat(RecordReader.LONGEST) + "\nl\tw\nm\t"
                + "x".repeat(3 * RecordReader.LONGEST) + "\nn\tx\no\t" + "y".repeat(RecordReader.LONGEST));
        assertThat(fails(file, "--create")).contains("line 1 of ", "it is longer than 8388608 bytes");
        Path bad = directory.resolve("bad");
        assertThat(ok(file, "--bad", bad)).startsWith("2 records are stored; 3 bad ones are put away");
        assertThat(entries()).isEqualTo("l\tw | n\tx |");
        assertThat(letters(bad)).hasSize(3).allMatch(letter -> letter.length() < 100_000);
        assertThat(ok(file, "--bad", bad)).contains("nothing new behind line 5");
        Path longest = file("y.txt", "longest\t" + "z".repeat(RecordReader.LONGEST - 9) + "\n");
        assertThat(ok(longest)).startsWith("1 record is stored");
    }

    @Test
    void goesOnWithWhatWasAppended() throws IOException {
        Path file = file("x.txt", "k\tv\nl\tw");
        assertThat(ok(file, file, "--create")).startsWith("2 records are stored; ");
        assertThat(ok(file)).startsWith(file + ": nothing new behind line 2\n0 records are stored");
        append(file, "\nm\tx\n");
        assertThat(ok(directory.resolve("../" + directory.getFileName() + "/x.txt"))).startsWith("1 record is stored");
        assertThat(entries()).isEqualTo("k\tv | l\tw | m\tx |");
        append(file, "n\ty");
        ok(file);
        append(file, "\r\no\tz");
        assertThat(ok(file)).startsWith("1 record is stored");
        append(file, "and more\n");
        assertThat(fails(file)).contains("line 5 of " + file + " was the last one", "--again");
        assertThat(entries("--from", "o")).isEqualTo("o\tz |");
        assertThat(ok(file, "--again")).startsWith("5 records are stored");
        assertThat(entries("--from", "o")).isEqualTo("o\tzand more |");
        assertThat(ok(file)).contains("nothing new");
    }

    @ParameterizedTest
    @CsvSource({"changed", "shortened", "replaced", "emptied"})
    void aFileThatIsNoLongerTheSameIsRefused(String how) throws IOException {
        for (String name : List.of("x.csv", "x.txt")) {
            Path file = file(name, "a\tb\nk\tv\nl\tw\n");
            ok(file, "--create", "--separator=\\t", "--format=csv");
            byte[] before = Files.readAllBytes(file);
            switch (how) {
                case "changed" -> Files.writeString(file, "a\tb\nk\tV\nl\tw\n");
                case "shortened" -> Files.writeString(file, "a\tb\nk\tv\n");
                case "replaced" -> Files.writeString(file, "a\tx\ny\tz\n".repeat(10));
                default -> Files.writeString(file, "");
            }
            assertThat(fails(file, "--separator=\\t", "--format=csv")).contains(file + " has changed",
                    "--again", "line 3");
            Files.write(file, before);
            assertThat(ok(file, "--separator=\\t", "--format=csv")).contains("nothing new");
        }
    }

    @Test
    void eachColumnFamilyHasItsOwnPosition() throws IOException {
        Path file = file("x.txt", "k\tv\n");
        ok(file, "--create");
        assertThat(fails(file, "-f", "other")).contains("there is no column family 'other'");
        assertThat(ok(file, "-f", "other", "--create")).startsWith("1 record is stored");
        assertThat(entries("-f", "other")).isEqualTo("k\tv |");
        assertThat(ok(file, "-f", "other")).contains("nothing new");
    }

    @Test
    void mergesWhereTheDatabaseCan() throws IOException {
        RocksDB.open(data(), new Options().createIfMissing(true).mergeOperator(MergeOperator.STRING_APPEND)).close();
        Path one = file("one", "k\ta\nk\tb\n");
        Path two = file("two", "k\tc\nl\td\n");
        ok(one, two, "--merge", "--create");
        ok(one, two, "--merge");
        assertThat(entries()).isEqualTo("k\ta,b,c | l\td |");
    }

    @Test
    void mergesThatNothingCouldMergeDoNotGoIntoTheQueue() throws IOException {
        Path file = file("x.txt", "k\tv\n");
        assertThat(fails(file, "--merge", "--create")).contains("no merge operator", "--merge");
        assertThat(data()).doesNotExist();
        ok(file, "--create");
        assertThat(fails(file, "--merge", "--again")).contains("'default' of " + data() + " has no merge operator")
                .hasLineCount(1);
        assertThat(fails(file, "--merge", "--create", "-f", "new")).contains("'new' of " + data());
        assertThat(fails(file, "--merge", "-f", "new")).contains("there is no column family 'new'");
        // Otherwise they would stand in front of all that comes later.
        assertThat(ok(file, "--again")).startsWith("1 record is stored");
    }

    @Test
    void nothingIsMadeByAccident() throws IOException {
        Path file = file("x.txt", "k\tv\n");
        assertThat(fails(file)).contains("there is no directory " + data(), "or --create to make one");
        Program.run("db", "put", data(), "k", "v", "--create");
        assertThat(fails(file)).contains("there is no queue in " + directory.resolve("data.queue"), "--create");
        assertThat(directory.resolve("data.queue")).doesNotExist();
        assertThat(fails(file, "--create", "--queue", data())).contains("none is made there");
        ok(file, "--create");
        assertThat(fails(file, "--create", "--bad", data())).contains("none is made there");
        assertThat(fails(directory.resolve("missing"))).contains("cannot read ", "there is no such file");
        assertThat(fails(directory)).contains("it is a directory; give its files");
        assertThat(fails(Path.of("/dev/null"))).contains("it is not a regular file; give its content as the standard");
    }

    @Test
    void oneQueueForADatabase() throws IOException {
        Path file = file("x.txt", "k\tv\n");
        Path first = directory.resolve("first");
        ok(file, "--create", "--queue", first);
        append(file, "l\tw\n");
        assertThat(fails(file, "--create", "--queue", directory.resolve("second"))).contains("the queue " + first);
        assertThat(ok(file)).startsWith("1 record is stored");
        // It may be moved.
        Path moved = Files.move(first, directory.resolve("moved"));
        assertThat(ok(file, "--queue", moved)).contains("nothing new");
        // Files go on without it, since the database knows.
        Files.move(moved, directory.resolve("gone"));
        append(file, "m\tx\n");
        assertThat(fails(file)).contains("there is no queue in " + moved);
        Run run = Program.run(command(file, "--create"));
        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("1 record is stored");
        assertThat(run.err()).contains("is gone: files go on").hasLineCount(1);
        // The old queue belongs to the database no longer.
        assertThat(fails(file, "--queue", directory.resolve("gone"))).contains("the queue " + moved);
    }

    @Test
    void aQueueOfAnotherDatabaseIsRefused() throws IOException {
        Path file = file("x.txt", "k\tv\n");
        Path other = directory.resolve("other");
        assertThat(Program.run("pipe", other, file, "--create").code()).isZero();
        assertThat(fails(file, "--create", "--queue", directory.resolve("other.queue")))
                .contains("do not fit", "belong together");
        assertThat(Program.run("pipe", other, file).out()).contains("nothing new");
    }

    @Test
    void saysAsJsonWhatWasDone() throws IOException {
        Path file = file("x.txt", "k\tv\n\nbad\nl\tw\n");
        assertThat(ok(file, "--create", "--json", "--bad", directory.resolve("bad")))
                .startsWith("{\"stored\":2,\"bad\":1,\"waiting\":0,\"readPerSecond\":")
                .contains("\"files\":[{\"file\":\"" + file
                        + "\",\"records\":2,\"bad\":1,\"from\":0,\"to\":13,\"lines\":4}]")
                .hasLineCount(1);
    }

    @Test
    void helpFitsAScreen() {
        Run help = Program.run("pipe", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out().lines().count()).isLessThanOrEqualTo(24);
        assertThat(help.out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(help.out()).contains("--resume");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            pipe                             | Missing required parameter: 'DIR'
            pipe x --follow                  | --follow and --again need a FILE
            pipe x --again                   | --follow and --again need a FILE
            pipe x y --resume                | --resume is for the standard input
            pipe x y --format xml            | xml
            pipe x y.json                    | --format json needs --key FIELD
            pipe x y --value v               | --value needs --key for lines
            pipe x y --key (                 | '(' is not a regular expression
            pipe x y --separator ;           | --separator and --no-header are for --format csv
            pipe x y.csv --separator ;;      | --separator must be one ASCII character
            pipe x y.csv --no-header --key a | columns are numbers
            pipe x y --sepparator            | did you mean '--separator'?
            """)
    void wrongUsageGetsOneLineAndExitCode2(String line, String expected) {
        Run run = Program.run((Object[]) line.split(" ", -1));
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).startsWith("outcrop: ").contains(expected, "--help'").hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }
}
