import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Counts numbers by key in a local Flink with its state in RocksDB. The job fails once and goes on from an incremental checkpoint, ends with
 * a savepoint, and goes on from it with another parallelism, several times. When the numbers have come to their end, it prints the state of
 * each key. Arguments: a directory, how many numbers there are, and the parallelism of each run.
 */
public class FlinkProgram {
    private static final AtomicInteger CHECKPOINTS = new AtomicInteger();
    private static final AtomicInteger FAILURES = new AtomicInteger();
    private static final Queue<String> ENDS = new ConcurrentLinkedQueue<>();
    private static volatile boolean last;

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        String from = null;
        for (int run = 2; run < args.length; run++) {
            last = run == args.length - 1;
            from = run(directory, Long.parseLong(args[1]), Integer.parseInt(args[run]), from, run % 2 == 0
                    ? SavepointFormatType.NATIVE
                    : SavepointFormatType.CANONICAL);
        }
        ENDS.stream().sorted().forEach(end -> System.out.println("> " + end));
        System.out.println("> failures " + FAILURES);
        System.exit(0);
    }

    /** Returns the savepoint, after three checkpoints; at last null, after all numbers. */
    private static String run(Path directory, long numbers, int parallelism, String from, SavepointFormatType format)
            throws Exception {
        Configuration settings = new Configuration();
        settings.setString("state.backend.type", "rocksdb");
        settings.setString("state.backend.rocksdb.localdir",
                Files.createDirectories(directory.resolve("local")).toString());
        settings.setString("state.backend.rocksdb.metrics.estimate-num-keys", "true");
        settings.setString("state.backend.rocksdb.metrics.block-cache-hit", "true");
        settings.setString("state.backend.rocksdb.use-bloom-filter", "true");
        settings.setString("state.backend.rocksdb.timer-service.factory", "ROCKSDB");
        settings.setString("execution.checkpointing.incremental", "true");
        settings.setString("execution.checkpointing.interval", "200ms");
        settings.setString("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
        settings.setString("restart-strategy.type", "fixed-delay");
        settings.setString("restart-strategy.fixed-delay.attempts", "3");
        settings.setString("restart-strategy.fixed-delay.delay", "100ms");
        if (from != null) {
            settings.setString("execution.state-recovery.path", from);
        }
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(settings);
        environment.setParallelism(parallelism);
        environment.setMaxParallelism(8);
        environment.fromSequence(0, numbers - 1).uid("numbers")
                .assignTimestampsAndWatermarks(WatermarkStrategy.<Long>noWatermarks()
                        .withTimestampAssigner((number, time) -> slowed(number, numbers / 2)))
                .uid("times").keyBy(number -> number % 100).process(new Count()).uid("count")
                .sinkTo(new DiscardingSink<>()).uid("end");
        CHECKPOINTS.set(0);
        JobClient job = environment.executeAsync("count");
        if (last) {
            job.getJobExecutionResult().get();
            return null;
        }
        while (CHECKPOINTS.get() < 3 * parallelism) {
            Thread.sleep(20);
            if (job.getJobStatus().get().isTerminalState()) {
                job.getJobExecutionResult().get();
            }
        }
        return job.stopWithSavepoint(false, directory.resolve("saved").toUri().toString(), format).get();
    }

    /** Waits a little, and longer after half of the numbers, or else all might come before the savepoint. */
    private static long slowed(long number, long half) {
        if (!last) {
            LockSupport.parkNanos(number < half ? 1_000_000 : 50_000_000);
        }
        return number;
    }

    /** Keeps state of each kind, some of it with a time to live that no entry reaches. */
    private static final class Count extends KeyedProcessFunction<Long, Long, String> implements CheckpointListener {
        private transient ValueState<Long> count;
        private transient MapState<String, Long> newest;
        private transient ListState<Long> hundreds;
        private transient ListState<String> texts;
        private transient ReducingState<Long> sum;

        @Override
        public void open(OpenContext context) {
            StateTtlConfig day = StateTtlConfig.newBuilder(Duration.ofDays(1)).cleanupInRocksdbCompactFilter(100)
                    .build();
            ValueStateDescriptor<Long> counts = new ValueStateDescriptor<>("count", Long.class);
            counts.enableTimeToLive(day);
            MapStateDescriptor<String, Long> maps = new MapStateDescriptor<>("newest", String.class, Long.class);
            maps.enableTimeToLive(day);
            ListStateDescriptor<String> lists = new ListStateDescriptor<>("texts", String.class);
            lists.enableTimeToLive(day);
            count = getRuntimeContext().getState(counts);
            newest = getRuntimeContext().getMapState(maps);
            hundreds = getRuntimeContext().getListState(new ListStateDescriptor<>("hundreds", Long.class));
            texts = getRuntimeContext().getListState(lists);
            sum = getRuntimeContext().getReducingState(
                    new ReducingStateDescriptor<>("sum", (ReduceFunction<Long>) Long::sum, Long.class));
        }

        @Override
        public void processElement(Long number, Context context, Collector<String> out) throws Exception {
            long next = count.value() == null ? 1 : count.value() + 1;
            count.update(next);
            sum.add(number);
            newest.put("n" + next % 7, number);
            if (next % 5 == 0) {
                newest.remove("n" + next / 5 % 7);
            }
            if (next % 100 == 0) {
                hundreds.add(number);
                texts.add("t" + next);
            } else if (next % 350 == 0) {
                hundreds.clear();
            }
            // The greatest time comes at the end only.
            context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
            if (!last && CHECKPOINTS.get() > 0 && FAILURES.compareAndSet(0, 1)) {
                throw new IllegalStateException("fails once");
            }
        }

        @Override
        public void onTimer(long time, OnTimerContext context, Collector<String> out) throws Exception {
            TreeMap<String, Long> map = new TreeMap<>();
            newest.entries().forEach(entry -> map.put(entry.getKey(), entry.getValue()));
            StringJoiner lists = new StringJoiner(" ");
            hundreds.get().forEach(number -> lists.add(number.toString()));
            texts.get().forEach(lists::add);
            ENDS.add("key " + context.getCurrentKey() + " " + List.of(count.value(), sum.get(), map, lists));
        }

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            CHECKPOINTS.incrementAndGet();
        }
    }
}
