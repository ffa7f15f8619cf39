package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Threads that run out of stack in push, pop and ack. The queue goes on, or says that it is to be closed and opened again; then every item
 * is there that was pushed and not popped, and no thread hangs. In Java, because its frames are small, and because JRuby links a Ruby call
 * when it is made first, which never works again after it has failed for lack of stack.
 */
@Tag("verify")
class StackOverflowTest {
    private static final int DIVES = TestSize.choose("outcrop.stack.dives", 12, 400);
    private static final long STACK = 512 << 10;
    /** An operation begins at most so many levels before the end of the stack. */
    private static final int LEVELS = 700;
    /** Only ends a hang. */
    private static final long HANG_MILLIS = 240_000;
    private static final String BROKEN = "open it again";

    @SuppressWarnings("UnusedVariable") // read by name
    private static final List<String> QUEUES = List.of(
            "Outcrop::Queue.new(PATH, segment_size: 1 << 16)",
            "Outcrop::SizedQueue.new(1000, PATH, segment_size: 1 << 16)",
            "Outcrop::SizedQueue.new(2, PATH, segment_size: 1 << 16)",
            "Mmap::Queue.new(page_handler: Mmap::PageCache.new(PATH, page_size: 128))",
            "Mmap::Queue.new(page_handler: Mmap::PageCache.new(PATH, page_size: 128), serializer: REVERSING)",
            "Mmap::Queue.new(page_handler: Mmap::SinglePage.new(PATH, page_size: 256))",
            "Mmap::SizedQueue.new(100, page_handler: Mmap::PageCache.new(PATH, page_size: 128))",
            "Mmap::SizedQueue.new(2, page_handler: Mmap::SinglePage.new(PATH, page_size: 4096))");

    private static ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETON);

    @TempDir
    private Path directory;

    private final Random random = new Random(TestSize.seed(StackOverflowTest.class));
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private IRubyObject queue = runtime().getNil();
    private volatile boolean isOver;
    private int last;
    /** Numbers of items, each list written by one thread. */
    private final List<Integer> pushed = new ArrayList<>();
    private final List<Integer> popped = new ArrayList<>();
    /** How many calls of pop or ack have failed: each may have removed an item. */
    private int failedPops;

    @BeforeAll
    static void start() {
        ruby.setLoadPaths(List.of(Path.of("src/main/ruby/lib").toAbsolutePath().toString()));
        ruby.runScriptlet("require 'outcrop'\n"
                + "REVERSING = Class.new { def serialize(item) = item.reverse; def deserialize(string) = string.reverse }.new");
    }

    @AfterAll
    static void stop() {
        ruby.terminate();
    }

    private static Ruby runtime() {
        return ruby.getProvider().getRuntime();
    }

    private void open(String definition) {
        queue = runtime().evalScriptlet(definition.replace("PATH", "'" + directory.resolve("queue") + "'"));
    }

    /** Calls itself, and then the operation. */
    private static void descend(int levels, Runnable operation) {
        deepest++;
        if (levels == 0) {
            operation.run();
        } else {
            descend(levels - 1, operation);
        }
    }

    private static int deepest;

    /** Runs an operation once, near the end of the stack. Returns whether it has failed. */
    private boolean dive(Runnable operation) {
        deepest = 0;
        try {
            descend(Integer.MAX_VALUE, operation);
        } catch (StackOverflowError e) {
            // Now the depth of the stack is known.
        }
        try {
            descend(Math.max(0, deepest - random.nextInt(LEVELS)), operation);
            return false;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    private Thread run(Consumer<ThreadContext> body) {
        Thread thread = new Thread(null, () -> {
            try {
                body.accept(runtime().getCurrentContext());
            } catch (RaiseException e) {
                if (!String.valueOf(e.getMessage()).contains(BROKEN)) {
                    failure.set(e);
                }
            } catch (Throwable e) {
                failure.set(e);
            } finally {
                isOver = true;
            }
        }, "test", STACK);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void join(Thread thread) throws InterruptedException {
        thread.join(HANG_MILLIS);
        assertThat(thread.isAlive()).as(() -> "hangs at " + List.of(thread.getStackTrace())).isFalse();
    }

    private void push(ThreadContext context) {
        int item = ++last;
        IRubyObject string = RubyString.newString(context.runtime, Integer.toString(item));
        IRubyObject _ = queue.callMethod(context, "push", string);
        pushed.add(item);
    }

    private void pop(ThreadContext context) {
        popped.add(Integer.parseInt(queue.callMethod(context, "pop").toString()));
    }

    private void acknowledge(ThreadContext context) {
        IRubyObject delivery = queue.callMethod(context, "poll");
        IRubyObject item = delivery.callMethod(context, "item");
        IRubyObject _ = delivery.callMethod(context, "ack");
        popped.add(Integer.parseInt(item.toString()));
    }

    private boolean isEmpty(ThreadContext context) {
        return queue.callMethod(context, "empty?").isTrue();
    }

    /** Closes the queue, which must not hang, and takes the rest out of it when it is open again. */
    private void reopen(String definition) throws InterruptedException {
        join(run(context -> {
            String end = queue.respondsTo("shutdown") ? "shutdown" : "close";
            IRubyObject _ = queue.callMethod(context, end);
        }));
        open(definition);
        join(run(context -> {
            while (!isEmpty(context)) {
                pop(context);
            }
        }));
        Throwable found = failure.get();
        if (found != null) {
            throw new AssertionError("a thread has failed", found);
        }
    }

    private void requireAll() {
        assertThat(popped).as("in order").isSortedAccordingTo(Integer::compare).doesNotHaveDuplicates();
        Set<Integer> lost = new TreeSet<>(pushed);
        lost.removeAll(new HashSet<>(popped));
        assertThat(lost).hasSizeLessThanOrEqualTo(failedPops);
    }

    @ParameterizedTest
    @FieldSource("QUEUES")
    void pushing(String definition) throws InterruptedException {
        open(definition);
        for (int i = 0; i < DIVES; i++) {
            isOver = false;
            // A push that fails may have pushed its item, which this thread may wait for.
            Thread popper = run(context -> {
                while (!isOver || !isEmpty(context)) {
                    pop(context);
                }
            });
            Thread pusher = run(context -> {
                push(context);
                boolean _ = dive(() -> push(context));
                isOver = true;
                push(context);
            });
            join(pusher);
            join(popper);
            reopen(definition);
        }
        requireAll();
    }

    @ParameterizedTest
    @FieldSource("QUEUES")
    void popping(String definition) throws InterruptedException {
        popping(definition, this::pop);
    }

    @ParameterizedTest
    @FieldSource("QUEUES")
    void acknowledging(String definition) throws InterruptedException {
        if (definition.startsWith("Outcrop")) {
            popping(definition, this::acknowledge);
        }
    }

    private void popping(String definition, Consumer<ThreadContext> operation) throws InterruptedException {
        open(definition);
        for (int i = 0; i < DIVES; i++) {
            isOver = false;
            Thread pusher = run(context -> {
                while (!isOver) {
                    if (Integer.parseInt(queue.callMethod(context, "size").toString()) < 2) {
                        push(context);
                    }
                }
            });
            Thread popper = run(context -> {
                operation.accept(context);
                failedPops += dive(() -> operation.accept(context)) ? 1 : 0;
                isOver = true;
            });
            join(popper);
            join(pusher);
            reopen(definition);
        }
        requireAll();
    }
}
