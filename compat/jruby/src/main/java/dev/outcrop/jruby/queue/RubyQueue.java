package dev.outcrop.jruby.queue;

import dev.outcrop.jruby.common.RubyStrings;
import dev.outcrop.jruby.common.WaitQueue;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.ReadVerification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyHash;
import org.jruby.RubyModule;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Access;
import org.jruby.api.Convert;
import org.jruby.api.Create;
import org.jruby.api.Define;
import org.jruby.api.Error;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** {@code Outcrop::Queue}, and {@code Outcrop::SizedQueue}, which is the same with a bound. The file queue.rb opens and documents them. */
@JRubyClass(name = "Outcrop::Queue")
public final class RubyQueue extends ItemSource {
    private static final long serialVersionUID = 1L;

    private transient @Nullable ItemQueue opened;

    private RubyQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Defines the classes of module {@code Outcrop} when the extension is loaded. */
    public static void define(ThreadContext context) {
        RubyModule outcrop = Define.defineModule(context, "Outcrop");
        RubyClass object = Access.objectClass(context);
        RubyClass queue = outcrop.defineClassUnder(context, "Queue", object, RubyQueue::new);
        queue.defineMethods(context, ItemSource.class, RubyQueue.class);
        // A copy would be a second owner of the files.
        queue.undefMethods(context, "initialize_copy");
        RubyClass consumer = outcrop.defineClassUnder(context, "Consumer", object,
                ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        consumer.defineMethods(context, ItemSource.class, RubyConsumer.class);
        RubyClass delivery = outcrop.defineClassUnder(context, "Delivery", object,
                ObjectAllocator.NOT_ALLOCATABLE_ALLOCATOR);
        delivery.defineMethods(context, RubyDelivery.class);
        MessagePackSerializer.define(context, outcrop);
    }

    /**
     * {@code open_queue(path, serializer, group, interval, bytes, max_bytes, segment_size, max, verify)}: opens the queue, for initialize.
     * The interval of the durability is in seconds. nil stands for the default.
     */
    @JRubyMethod(name = "open_queue", required = 9, visibility = Visibility.PRIVATE)
    public IRubyObject open(ThreadContext context, IRubyObject[] args) {
        if (opened != null) {
            throw QueueErrors.error(context, "Error", "This queue was opened before");
        }
        String directory = RubyStrings.text(context, Convert.castAsString(context, args[0]));
        ItemSerializer serializer = new ItemSerializer(args[1]);
        String group = RubyStrings.text(context, Convert.castAsString(context, args[2]));
        try {
            QueueOptions options = new QueueOptions();
            boolean isEveryPushDurable = false;
            if (!args[3].isNil()) {
                if (Convert.toDouble(context, args[3]) < 0) {
                    throw Error.argumentError(context, "durability: interval must not be negative: " + args[3]);
                }
                Duration interval = Duration.ofNanos(nanos(context, args[3]));
                isEveryPushDurable = interval.isZero();
                if (!isEveryPushDurable) {
                    options.durability(Durability.groupCommit(interval, Convert.toLong(context, args[4])));
                }
            }
            if (!args[5].isNil()) {
                // This class waits for room itself, so that Ruby can interrupt the wait.
                options.maxBytes(Convert.toLong(context, args[5])).fullTimeout(Duration.ZERO);
            }
            if (!args[6].isNil()) {
                options.segmentSize(Convert.toLong(context, args[6]));
            }
            if (args[8].asJavaString().equals("always")) {
                options.verifyReads(ReadVerification.ALWAYS);
            }
            opened = open(Path.of(directory), options, group, serializer, isEveryPushDurable, max(context, args[7]));
            return this;
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        }
    }

    private static int max(ThreadContext context, IRubyObject max) {
        if (max.isNil()) {
            return 0;
        }
        return bound(context, max);
    }

    private static int bound(ThreadContext context, IRubyObject max) {
        long value = Convert.toLong(context, max);
        if (value < 1) {
            throw Error.argumentError(context, "queue size must be positive");
        }
        if (value > ObjectRing.MAX) {
            throw Error.argumentError(context, "A SizedQueue holds at most " + ObjectRing.MAX + " items, not " + value
                    + "; Outcrop::Queue with max_bytes: is not kept in memory");
        }
        return (int) value;
    }

    private static ItemQueue open(Path directory, QueueOptions options, String group,
            ItemSerializer serializer, boolean isEveryPushDurable, int max) {
        try {
            if (Files.exists(directory)) {
                ItemQueue.takeOver(directory.toRealPath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The queue " + directory + " cannot be opened: " + e.getMessage(), e);
        }
        Queue queue = Queue.open(directory, options);
        try {
            return new ItemQueue(queue, group, serializer, isEveryPushDurable, max);
        } catch (Throwable e) {
            queue.close();
            throw e;
        }
    }

    private ItemQueue queue(ThreadContext context) {
        ItemQueue there = opened;
        if (there == null) {
            throw Error.typeError(context, "The queue is not initialized: a subclass's initialize must call super");
        }
        return there;
    }

    // --- Pushing ---

    /** {@code push(item)}: appends the item. Waits while the queue is full. */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject item) {
        boolean _ = queue(context).push(context, item, false, WaitQueue.NEVER);
        return this;
    }

    /** {@code push(item, non_block)} and {@code push(item, timeout: seconds)}. Returns nil if there was no room in time. */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject item, IRubyObject option) {
        if (!(option instanceof RubyHash)) {
            boolean _ = queue(context).push(context, item, option.isTrue(), WaitQueue.NEVER);
            return this;
        }
        return queue(context).push(context, item, false, deadline(context, option)) ? this : context.nil;
    }

    /** {@code push(item, non_block, timeout: seconds)}: only one of the two may be given. */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject item, IRubyObject nonBlocking, IRubyObject options) {
        long deadline = deadline(context, nonBlocking, options);
        return queue(context).push(context, item, nonBlocking.isTrue(), deadline) ? this : context.nil;
    }

    private static long deadline(ThreadContext context, IRubyObject nonBlocking, IRubyObject options) {
        long deadline = deadline(context, options);
        if (nonBlocking.isTrue() && deadline != WaitQueue.NEVER) {
            throw Error.argumentError(context, "can't set a timeout if non_block is enabled");
        }
        return deadline;
    }

    // --- Popping ---

    /** {@code pop}: waits for the next item, acknowledges it, and returns it; returns nil if the queue is closed and empty. */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public IRubyObject pop(ThreadContext context) {
        return pop(context, WaitQueue.NEVER);
    }

    /**
     * {@code pop(non_block)} and {@code pop(timeout: seconds)}. Returns nil if there was no item in time, or the queue is closed and empty.
     */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public IRubyObject pop(ThreadContext context, IRubyObject option) {
        if (option instanceof RubyHash) {
            return pop(context, deadline(context, option));
        }
        return option.isTrue() ? popNow(context) : pop(context, WaitQueue.NEVER);
    }

    /** {@code pop(non_block, timeout: seconds)}: only one of the two may be given. */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public IRubyObject pop(ThreadContext context, IRubyObject nonBlocking, IRubyObject options) {
        long deadline = deadline(context, nonBlocking, options);
        return nonBlocking.isTrue() ? popNow(context) : pop(context, deadline);
    }

    private IRubyObject pop(ThreadContext context, long deadline) {
        ItemQueue queue = queue(context);
        Item item = queue.pop(context, deadline);
        return item == null ? context.nil : finish(context, queue, item);
    }

    private IRubyObject popNow(ThreadContext context) {
        ItemQueue queue = queue(context);
        Item item = queue.pop(context, System.nanoTime());
        if (item == null) {
            throw QueueErrors.thread(context, "queue empty");
        }
        return finish(context, queue, item);
    }

    private static IRubyObject finish(ThreadContext context, ItemQueue queue, Item item) {
        IRubyObject object = queue.object(context, item);
        if (item.isAcknowledged) {
            return object;
        }
        try {
            boolean _ = queue.acknowledge(context, item);
        } catch (RuntimeException e) {
            if (queue.isReleased()) {
                // The queue was closed just now. The item is still in the queue.
                return context.nil;
            }
            throw e;
        }
        return object;
    }

    /**
     * {@code skip}: removes the next item without reading it, for an item that the serializer cannot read. Returns false if the queue is
     * empty.
     */
    @JRubyMethod
    public IRubyObject skip(ThreadContext context) {
        ItemQueue queue = queue(context);
        Item item = queue.take(context, System.nanoTime());
        return Convert.asBoolean(context, item != null && queue.acknowledge(context, item));
    }

    /** {@code clear}: removes all items that are in the queue at this moment. */
    @JRubyMethod
    public IRubyObject clear(ThreadContext context) {
        ItemQueue queue = queue(context);
        for (long left = queue.size(context); left > 0; left--) {
            Item item = queue.take(context, System.nanoTime());
            if (item == null) {
                break;
            }
            boolean _ = queue.acknowledge(context, item);
        }
        return this;
    }

    @Override
    @Nullable
    Item take(ThreadContext context, long deadline) {
        return queue(context).take(context, deadline);
    }

    @Override
    IRubyObject object(ThreadContext context, Item item) {
        return queue(context).object(context, item);
    }

    @Override
    boolean acknowledge(ThreadContext context, Item item) {
        return queue(context).acknowledge(context, item);
    }

    @Override
    boolean giveBack(ThreadContext context, Item item, Duration delay) {
        return queue(context).giveBack(context, item, delay);
    }

    // --- Groups ---

    /**
     * {@code consumer(group)}: returns a consumer of another group. Each group gets all items. A new group begins with the first item that
     * the queue still has.
     */
    @JRubyMethod
    public IRubyObject consumer(ThreadContext context, IRubyObject group) {
        ItemQueue queue = queue(context);
        String name = RubyStrings.text(context, group);
        if (name.equals(queue.group())) {
            throw Error.argumentError(context, "Group " + name
                    + " is the one that pop, poll, each and process of the queue itself take their items for: call those");
        }
        return QueueErrors.translate(context, () -> new RubyConsumer(context, queue, queue.consumer(name)));
    }

    /** {@code groups}: returns the names of all groups. */
    @JRubyMethod
    public IRubyObject groups(ThreadContext context) {
        return QueueErrors.translate(context, () -> {
            List<IRubyObject> names = new ArrayList<>();
            queue(context).queue().groups().stream().sorted()
                    .forEach(name -> names.add(Create.newString(context, name)));
            return Create.newArray(context, names);
        });
    }

    /** {@code delete_group(name)}: deletes a group other than the queue's own, so that the queue keeps no items for it. */
    @JRubyMethod(name = "delete_group")
    public IRubyObject deleteGroup(ThreadContext context, IRubyObject group) {
        ItemQueue queue = queue(context);
        String name = RubyStrings.text(context, group);
        if (name.equals(queue.group())) {
            throw Error.argumentError(context,
                    "Group " + name + " is the queue's own; clear removes its items, and purge the queue");
        }
        return QueueErrors.translate(context, () -> {
            queue.queue().deleteGroup(name);
            return this;
        });
    }

    // --- Size ---

    /** {@code size}: returns how many items can be popped. Delivered items do not count. */
    @JRubyMethod(name = {"size", "length"})
    public IRubyObject size(ThreadContext context) {
        return Convert.asFixnum(context, items(context));
    }

    /** {@code empty?}: tells whether no item can be popped. */
    @JRubyMethod(name = "empty?")
    public IRubyObject isEmpty(ThreadContext context) {
        return Convert.asBoolean(context, items(context) == 0);
    }

    private long items(ThreadContext context) {
        return QueueErrors.translate(context, () -> queue(context).size(context));
    }

    /** {@code max}: returns how many items a SizedQueue takes; nil if there is no bound. */
    @JRubyMethod
    public IRubyObject max(ThreadContext context) {
        int max = queue(context).max();
        return max == 0 ? context.nil : Convert.asFixnum(context, max);
    }

    /** {@code change_max(max)}: for {@code SizedQueue#max=}. The items stay; threads that wait for room go on if there is room now. */
    @JRubyMethod(name = "change_max", visibility = Visibility.PRIVATE)
    public IRubyObject changeMax(ThreadContext context, IRubyObject max) {
        int bound = bound(context, max);
        return QueueErrors.translate(context, () -> {
            queue(context).max(bound);
            return this;
        });
    }

    /** {@code num_waiting}: returns how many threads wait, to push or to pop. */
    @JRubyMethod(name = "num_waiting")
    public IRubyObject waiting(ThreadContext context) {
        return Convert.asFixnum(context, queue(context).waiting());
    }

    /** {@code path}: returns the directory of the queue's files. */
    @JRubyMethod
    public IRubyObject path(ThreadContext context) {
        return Create.newString(context, queue(context).queue().directory().toString());
    }

    // --- Ending ---

    /** {@code sync}: waits until all pushed items are on the disk. */
    @JRubyMethod
    public IRubyObject sync(ThreadContext context) {
        return QueueErrors.translate(context, () -> {
            queue(context).queue().sync();
            return this;
        });
    }

    /** {@code close}: ends pushing, and wakes the waiting threads. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        return QueueErrors.translate(context, () -> {
            queue(context).close();
            return this;
        });
    }

    /** {@code closed?}: tells whether pushing has ended. */
    @JRubyMethod(name = "closed?")
    public IRubyObject isClosed(ThreadContext context) {
        return Convert.asBoolean(context, queue(context).isClosed());
    }

    /** {@code delete_files}: for purge, after the queue was shut down. */
    @JRubyMethod(name = "delete_files", visibility = Visibility.PRIVATE)
    public IRubyObject deleteFiles(ThreadContext context) {
        return QueueErrors.translate(context, () -> {
            QueueFiles.delete(queue(context).queue().directory());
            return this;
        });
    }

    /** {@code shutdown}: ends pushing and popping, and closes the files. */
    @JRubyMethod
    public IRubyObject shutdown(ThreadContext context) {
        return QueueErrors.translate(context, () -> {
            queue(context).release();
            return this;
        });
    }
}
