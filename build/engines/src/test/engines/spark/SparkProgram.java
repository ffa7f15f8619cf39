import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.ListState;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.streaming.ValueState;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Counts words with Structured Streaming, and transforms them with state of each kind, in several runs; the state is in RocksDB. At last it
 * prints the state. It can be killed, and goes on when it is started again. What it prints does not depend on where batches begin: a killed
 * Spark may take two files at once. Arguments: a directory, whether changes are logged, the first and the last run, the number of files of a
 * run, and whether words are transformed, too.
 */
public class SparkProgram {

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        boolean transforms = Boolean.parseBoolean(args[5]);
        SparkSession spark = SparkSession.builder().master("local[1]").appName("words")
                .config("spark.ui.enabled", false).config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
                .config("spark.local.dir", directory.resolve("local").toString())
                .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.streaming.stateStore.providerClass",
                        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
                .config("spark.sql.streaming.stateStore.minDeltasForSnapshot", 2)
                .config("spark.sql.streaming.stateStore.maintenanceInterval", "1s")
                .config("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", args[1])
                .getOrCreate();
        spark.streams().addListener(new Batches());
        Path counted = directory.resolve("counted");
        Path transformed = directory.resolve("transformed");
        for (int run = Integer.parseInt(args[2]); run <= Integer.parseInt(args[3]); run++) {
            Dataset<String> words = words(spark, input(directory, run, Integer.parseInt(args[4])));
            run(words.groupBy("value").count().writeStream().outputMode("update"), counted);
            if (transforms) {
                run(words.groupByKey((MapFunction<String, String>) word -> word.substring(0, 2), Encoders.STRING())
                        .transformWithState(new Words(), TimeMode.None(), OutputMode.Append(), Encoders.STRING())
                        .writeStream().outputMode("append"), transformed);
            }
        }
        print(spark, counted, "");
        if (transforms) {
            for (String state : List.of("number", "numbers", "kept", "hundreds")) {
                print(spark, transformed, state);
            }
        }
        spark.stop();
        System.exit(0);
    }

    /** Makes the files of a run, and returns the directory. A file has its whole content from the moment on that it is there. */
    private static Path input(Path directory, int run, int files) throws Exception {
        Path input = Files.createDirectories(directory.resolve("input"));
        for (int file = 0; file < files; file++) {
            Path words = input.resolve("words-" + run + "-" + file + ".txt");
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                text.append("w").append((i * 7 + file + run) % 41).append(i % 10 == 9 ? "\n" : " ");
            }
            if (!Files.exists(words)) {
                Path next = Files.writeString(directory.resolve("next.txt"), text);
                // Spark takes them in the order of their times.
                Files.setLastModifiedTime(next, FileTime.fromMillis(1_700_000_000_000L + (run * files + file) * 2000L));
                Files.move(next, words);
            }
        }
        return input;
    }

    private static Dataset<String> words(SparkSession spark, Path input) {
        return spark.readStream().option("maxFilesPerTrigger", 1).textFile(input.toString())
                .flatMap((FlatMapFunction<String, String>) line -> List.of(line.split(" ")).iterator(),
                        Encoders.STRING());
    }

    private static void run(DataStreamWriter<?> query, Path checkpoint) throws Exception {
        query.format("noop").option("checkpointLocation", checkpoint.toString()).trigger(Trigger.AvailableNow())
                .start().awaitTermination();
    }

    /** Prints what Spark reads of a state, or of the only one of a query. */
    private static void print(SparkSession spark, Path checkpoint, String state) {
        var reader = spark.read().format("statestore").option("flattenCollectionTypes", false);
        if (!state.isEmpty()) {
            reader = reader.option("stateVarName", state);
        }
        reader.load(checkpoint.toString()).toJSON().collectAsList().stream().sorted()
                .forEach(row -> System.out.println("> " + state + row));
    }

    /** Keeps of the words that begin alike: their number, how often each came, and two other things in the other kinds of state. */
    private static final class Words extends StatefulProcessor<String, String, String> {
        private transient ValueState<Long> number;
        private transient MapState<String, Long> numbers;
        private transient MapState<Long, Long> kept;
        private transient ListState<Long> hundreds;

        @Override
        public void init(OutputMode mode, TimeMode time) {
            number = getHandle().getValueState("number", Encoders.LONG(), TTLConfig.NONE());
            numbers = getHandle().getMapState("numbers", Encoders.STRING(), Encoders.LONG(), TTLConfig.NONE());
            kept = getHandle().getMapState("kept", Encoders.LONG(), Encoders.LONG(), TTLConfig.NONE());
            hundreds = getHandle().getListState("hundreds", Encoders.LONG(), TTLConfig.NONE());
        }

        @Override
        public Iterator<String> handleInputRows(String key, Iterator<String> rows, TimerValues timers) {
            long count = number.exists() ? number.get() : 0;
            while (rows.hasNext()) {
                String word = rows.next();
                count++;
                numbers.updateValue(word, numbers.containsKey(word) ? numbers.getValue(word) + 1 : 1);
                kept.updateValue(count % 50, count);
                kept.removeKey(count * 7 % 50);
                if (count % 100 == 0) {
                    hundreds.appendValue(count);
                } else if (count % 777 == 0) {
                    hundreds.clear();
                }
            }
            number.update(count);
            return CollectionConverters.asScala(List.<String>of().iterator());
        }
    }

    /** Tells the test when to kill. */
    private static final class Batches extends StreamingQueryListener {
        @Override
        public void onQueryStarted(QueryStartedEvent event) {
        }

        @Override
        public void onQueryProgress(QueryProgressEvent event) {
            System.out.println("a batch has ended");
        }

        @Override
        public void onQueryTerminated(QueryTerminatedEvent event) {
        }
    }
}
