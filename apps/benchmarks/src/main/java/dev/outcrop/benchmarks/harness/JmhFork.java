package dev.outcrop.benchmarks.harness;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One JMH benchmark method in one fork. A {@link ProcessComparison}, not JMH, repeats forks, so that the forks of several methods can
 * alternate.
 *
 * @param type    the class with the method
 * @param method  the benchmark
 * @param threads how many threads run it at once; the result is the time of an operation in each thread
 * @param jvmArgs arguments of the forked JVM, in addition to the arguments of all forks
 * @param runLength the number and the length of the iterations
 */
public record JmhFork(Class<?> type, String method, int threads, List<String> jvmArgs,
        RunLength runLength) implements BenchmarkProcess {
    private static final String GARBAGE = "gc.alloc.rate.norm";

    @Override
    public ProcessOutput start(long seed) {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(log, true, StandardCharsets.UTF_8)) {
            RunResult result = new Runner(options(), OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL))
                    .runSingle();
            List<IterationResult> iterations = List.copyOf(result.getAggregatedResult().getIterationResults());
            return ProcessOutput.of(new Sample(
                    iterations.stream().map(iteration -> iteration.getPrimaryResult().getScore()).toList(),
                    iterations.stream().map(JmhFork::garbage).toList()));
        } catch (RunnerException e) {
            throw new BenchmarkException(
                    type.getSimpleName() + '.' + method + " failed: " + e.getMessage() + System.lineSeparator()
                            + log.toString(StandardCharsets.UTF_8),
                    e);
        }
    }

    private static double garbage(IterationResult iteration) {
        return Objects.requireNonNull(iteration.getSecondaryResults().get(GARBAGE), GARBAGE).getScore();
    }

    /* Batch compilation: on a busy machine, a background compiler may not finish within the warm-up. */
    private Options options() {
        TimeValue time = TimeValue.milliseconds(runLength.time().toMillis());
        return new OptionsBuilder()
                .include('^' + Pattern.quote(type.getName() + '.' + method) + '$')
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .threads(threads)
                .warmupIterations(runLength.warmups())
                .warmupTime(time)
                .measurementIterations(runLength.iterations())
                .measurementTime(time)
                .jvmArgsPrepend("--enable-native-access=ALL-UNNAMED", "-Xbatch")
                .jvmArgs(jvmArgs.toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build();
    }
}
