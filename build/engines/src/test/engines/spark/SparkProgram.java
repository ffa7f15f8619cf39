import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** Counts words with Structured Streaming, whose state is in RocksDB, in two runs, and prints the counts. */
public class SparkProgram {

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Path input = Files.createDirectories(directory.resolve("input"));
        SparkSession spark = SparkSession.builder().master("local[1]").appName("words")
                .config("spark.ui.enabled", false).config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
                .config("spark.local.dir", directory.resolve("local").toString())
                .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.streaming.stateStore.providerClass",
                        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
                .config("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", args[1])
                .getOrCreate();
        for (int run = 0; run < 2; run++) {
            for (int file = 0; file < 2; file++) {
                StringBuilder words = new StringBuilder();
                for (int i = 0; i < 500; i++) {
                    words.append("w").append((i * 7 + file + run) % 41).append(i % 10 == 9 ? "\n" : " ");
                }
                Path temporary = directory.resolve("next.txt");
                Files.writeString(temporary, words);
                Files.move(temporary, input.resolve("words-" + run + "-" + file + ".txt"));
            }
            Dataset<Row> counts = spark.readStream().option("maxFilesPerTrigger", 1).textFile(input.toString())
                    .flatMap((org.apache.spark.api.java.function.FlatMapFunction<String, String>) line -> List
                            .of(line.split(" ")).iterator(), Encoders.STRING())
                    .groupBy("value").count();
            counts.writeStream().outputMode("complete").format("memory").queryName("counts" + run)
                    .option("checkpointLocation", directory.resolve("checkpoint").toString())
                    .trigger(Trigger.AvailableNow()).start().awaitTermination();
            spark.sql("select value, count from counts" + run).collectAsList().stream()
                    .map(row -> row.getString(0) + "=" + row.getLong(1)).sorted(Comparator.naturalOrder())
                    .forEach(count -> System.out.println("> " + count));
            System.out.println("> run " + run);
        }
        spark.stop();
        System.exit(0);
    }
}
