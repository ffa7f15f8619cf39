package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jruby.Ruby;
import org.jruby.RubyString;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
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
 * Threads whose stack ends in the midst of push, pop and ack, wherever that is: what has not returned has not happened, and other threads
 * go on. In Java, because its frames are small, and because JRuby links Ruby's calls when they are made first, which never works again if
 * there is no stack then.
 */
@Tag("verify")
class StackOverflowTest {
    private static final int DIVES = TestSize.choose("outcrop.stack.dives", 1, 4);
    private static final int MOST = 1 << 20;
    private static final long STACK = 512 << 10;
    /** Levels before the end of the stack at which something is tried. */
    private static final int LEVELS = 1000;
    /** Only ends a hang. */
    private static final long HANG_MILLIS = 240_000;

    private static final List<String> QUEUES = List.of(
            "Outcrop::Queue.new(PATH, segment_size: 1 << 16)",
            "Outcrop::SizedQueue.new(1000, PATH, segment_size: 1 << 16)",
            "Outcrop::SizedQueue.new(2, PATH, segment_size: 1 << 16)",
            "Mmap::Queue.new(page_handler: Mmap::PageCache.new(PATH, page_size: 4096))",
            "Mmap::Queue.new(page_handler: Mmap::PageCache.new(PATH, page_size: 4096), serializer: REVERSING)",
            "Mmap::Queue.new(page_handler: Mmap::SinglePage.new(PATH, page_size: 256))",
            "Mmap::SizedQueue.new(100, page_handler: Mmap::PageCache.new(PATH, page_size: 4096))",
            "Mmap::SizedQueue.new(2, page_handler: Mmap::SinglePage.new(PATH, page_size: 4096))",
            // Records are written over all the time, and the objects stay in memory.
            "Mmap::SizedQueue.new(9, page_handler: Mmap::SinglePage.new(PATH, page_size: 32, overwrite: true))");
    @SuppressWarnings("UnusedVariable") // read by name
    private static final List<String> ACKNOWLEDGING = QUEUES.subList(0, 3);

    private static ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETON);

    @TempDir
    private Path directory;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private IRubyObject queue = nil();
    private volatile boolean isOver;
    /** Written without a call, which might need stack. */
    private final int[] pushed = new int[MOST];
    private int pushedCount;
    private final IRubyObject[] popped = new IRubyObject[MOST];
    private int poppedCount;

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

    private static IRubyObject nil() {
        return runtime().getNil();
    }

    private void open(String definition) {
        queue = runtime()
                .evalScriptlet(definition.replace("PATH", "'" + directory.resolve("queue") + "'"));
    }

    private static int number(IRubyObject item) {
        return Integer.parseInt(item.toString());
    }

    /** Calls itself until the stack ends, and the operation near that, at each depth. Where that fails, it goes on a level deeper. */
    private static int dive(int depth, int from, Runnable operation) {
        if (depth == BOTTOMLESS) {
            return 0;
        }
        int failed = 0;
        if (depth >= from) {
            try {
                operation.run();
            } catch (StackOverflowError e) {
                failed = 1;
            }
        }
        deepest = depth;
        return failed + dive(depth + 1, from, operation);
    }

    /** No stack is as deep. */
    private static final int BOTTOMLESS = Integer.MAX_VALUE;

    private static int deepest;

    private static int depth(int from, Runnable operation) {
        try {
            return dive(0, from, operation);
        } catch (StackOverflowError e) {
            return deepest;
        }
    }

    private static void diveOften(Runnable operation) {
        // First where there is room, so that everything is loaded.
        for (int i = 0; i < 100; i++) {
            operation.run();
        }
        for (int i = 0; i < DIVES; i++) {
            int end = depth(Integer.MAX_VALUE, operation);
            int _ = depth(end - LEVELS, operation);
        }
    }

    private Thread run(Consumer<ThreadContext> body) {
        Thread thread = new Thread(null, () -> {
            try {
                body.accept(runtime().getCurrentContext());
            } catch (Throwable e) {
                failure.set(e);
                isOver = true;
            }
        }, "test", STACK);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void join(Thread... threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(HANG_MILLIS);
            assertThat(thread.isAlive()).as(() -> "hangs at " + List.of(thread.getStackTrace())).isFalse();
        }
        assertThat(failure.get()).isNull();
    }

    private void push(ThreadContext context, int item) {
        IRubyObject string = RubyString.newString(context.runtime, Integer.toString(item));
        IRubyObject _ = queue.callMethod(context, "push", string);
        pushed[pushedCount] = item;
        pushedCount++;
    }

    private void pop(ThreadContext context) {
        IRubyObject item = queue.callMethod(context, "pop");
        popped[poppedCount] = item;
        poppedCount++;
    }

    private void pushUntilOver(ThreadContext context) {
        for (int i = 1; !isOver; i++) {
            push(context, i);
            while (!isOver && pushedCount - poppedCount > 100) {
                Thread.onSpinWait();
            }
        }
        push(context, 0);
    }

    private void popToEnd(ThreadContext context) {
        do {
            pop(context);
        } while (number(popped[poppedCount - 1]) != 0);
    }

    private void assertAllThere(ThreadContext context) {
        List<Integer> expected = new ArrayList<>();
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < pushedCount; i++) {
            expected.add(pushed[i]);
        }
        for (int i = 0; i < poppedCount; i++) {
            found.add(number(popped[i]));
        }
        assertThat(found).isEqualTo(expected);
        assertThat(queue.callMethod(context, "size").toString()).isEqualTo("0");
        IRubyObject _ = queue.callMethod(context, "close");
    }

    @ParameterizedTest
    @FieldSource("QUEUES")
    void pushing(String definition) throws InterruptedException {
        open(definition);
        int[] item = {0};
        Thread pusher = run(context -> {
            diveOften(() -> push(context, ++item[0]));
            push(context, 0);
        });
        Thread popper = run(this::popToEnd);
        join(pusher, popper);
        assertAllThere(runtime().getCurrentContext());
    }

    @ParameterizedTest
    @FieldSource("QUEUES")
    void popping(String definition) throws InterruptedException {
        open(definition);
        Thread popper = run(context -> {
            diveOften(() -> pop(context));
            isOver = true;
            popToEnd(context);
        });
        Thread pusher = run(this::pushUntilOver);
        join(popper, pusher);
        assertAllThere(runtime().getCurrentContext());
    }

    @ParameterizedTest
    @FieldSource("ACKNOWLEDGING")
    void acknowledging(String definition) throws InterruptedException {
        open(definition);
        @Nullable
        IRubyObject[] delivery = new IRubyObject[1];
        Thread poller = run(context -> {
            Runnable next = () -> {
                IRubyObject polled = delivery[0];
                if (polled == null) {
                    polled = queue.callMethod(context, "poll");
                    delivery[0] = polled;
                }
                IRubyObject item = polled.callMethod(context, "item");
                if (polled.callMethod(context, "ack").isTrue()) {
                    popped[poppedCount] = item;
                    poppedCount++;
                }
                delivery[0] = null;
            };
            diveOften(next);
            isOver = true;
            do {
                next.run();
            } while (number(popped[poppedCount - 1]) != 0);
        });
        Thread pusher = run(this::pushUntilOver);
        join(poller, pusher);
        assertAllThere(runtime().getCurrentContext());
    }
}
