import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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
 * Counts words with Structured Streaming, and transforms them with state of each kind; the state is in RocksDB. In two runs, it prints the
 * counts, and at last what the transformation has written. It can be killed, and goes on when it is started again. Arguments: a directory,
 * and whether changes are logged.
 */
public class SparkProgram {
    private static final int FILES = 5;

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
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
        for (int run = 0; run < 2; run++) {
            Dataset<String> words = words(spark, input(directory, run));
            words.groupBy("value").count().writeStream().outputMode("complete").format("memory")
                    .queryName("counts" + run)
                    .option("checkpointLocation", directory.resolve("counted").toString())
                    .trigger(Trigger.AvailableNow()).start().awaitTermination();
            spark.sql("select value, count from counts" + run).collectAsList().stream()
                    .map(row -> row.getString(0) + "=" + row.getLong(1)).sorted()
                    .forEach(count -> System.out.println("> " + count));
            words.groupByKey((MapFunction<String, String>) word -> word.substring(0, 2), Encoders.STRING())
                    .transformWithState(new Words(), TimeMode.None(), OutputMode.Append(), Encoders.STRING())
                    .writeStream().outputMode("append").format("text")
                    .option("path", directory.resolve("output").toString())
                    .option("checkpointLocation", directory.resolve("transformed").toString())
                    .trigger(Trigger.AvailableNow()).start().awaitTermination();
            System.out.println("> run " + run);
        }
        spark.read().textFile(directory.resolve("output").toString()).collectAsList().stream().sorted()
                .forEach(line -> System.out.println("> " + line));
        spark.stop();
        System.exit(0);
    }

    /** The files of a run and those of the runs before. A file has its whole content from the moment on that it is there. */
    private static Path input(Path directory, int run) throws Exception {
        Path input = Files.createDirectories(directory.resolve("input"));
        for (int file = 0; file < FILES; file++) {
            Path words = input.resolve("words-" + run + "-" + file + ".txt");
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 500; i++) {
                text.append("w").append((i * 7 + file + run) % 41).append(i % 10 == 9 ? "\n" : " ");
            }
            if (!Files.exists(words)) {
                Path next = Files.writeString(directory.resolve("next.txt"), text);
                // Spark takes them in the order of their times.
                Files.setLastModifiedTime(next, FileTime.fromMillis(1_700_000_000_000L + (run * FILES + file) * 2000L));
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

    /** Of the words that begin alike: their number, and how often the last ones came. */
    private static final class Words extends StatefulProcessor<String, String, String> {
        private transient ValueState<Long> number;
        private transient MapState<String, Long> numbers;
        private transient ListState<String> last;

        @Override
        public void init(OutputMode mode, TimeMode time) {
            number = getHandle().getValueState("number", Encoders.LONG(), TTLConfig.NONE());
            numbers = getHandle().getMapState("numbers", Encoders.STRING(), Encoders.LONG(),
                    TTLConfig.NONE());
            last = getHandle().getListState("last", Encoders.STRING(), TTLConfig.NONE());
        }

        @Override
        public Iterator<String> handleInputRows(String key, Iterator<String> rows, TimerValues timers) {
            long count = number.exists() ? number.get() : 0;
            while (rows.hasNext()) {
                String word = rows.next();
                count++;
                numbers.updateValue(word, numbers.containsKey(word) ? numbers.getValue(word) + 1 : 1);
                if (count % 100 == 0) {
                    last.appendValue(word);
                } else if (count % 777 == 0) {
                    last.clear();
                    numbers.removeKey(word);
                }
            }
            number.update(count);
            StringBuilder all = new StringBuilder(key).append(" ").append(count);
            CollectionConverters.asJava(numbers.iterator()).forEachRemaining(
                    each -> all.append(" ").append(each._1()).append("=").append(each._2()));
            all.append(" ").append(last.exists() ? last.get().mkString(",") : "none");
            return CollectionConverters.asScala(List.of(all.toString()).iterator());
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
