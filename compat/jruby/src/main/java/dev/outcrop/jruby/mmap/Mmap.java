package dev.outcrop.jruby.mmap;

import org.jruby.RubyClass;
import org.jruby.RubyModule;
import org.jruby.api.Access;
import org.jruby.api.Define;
import org.jruby.runtime.ObjectAllocator;
import org.jruby.runtime.ThreadContext;

/** The module {@code Mmap}: the interface of the gems {@code jruby-mmap} and {@code jruby-mmap-queues}. */
public final class Mmap {
    private Mmap() {
    }

    /** Defines the module when the extension is loaded. */
    public static void define(ThreadContext context) {
        RubyModule mmap = Define.defineModule(context, "Mmap");
        RubyClass standardError = Access.standardErrorClass(context);
        mmap.defineClassUnder(context, "PageHandlerError", standardError, standardError.getAllocator());
        define(context, mmap, "ByteBuffer", MmapByteBuffer::new, MmapByteBuffer.class);
        define(context, mmap, "PageMetadata", MmapPageMetadata::new, MmapPageMetadata.class);
        define(context, mmap, "PageCache", MmapPageHandler::new, PagesObject.class, MmapPageHandler.class);
        define(context, mmap, "SinglePage", MmapPageHandler::new, PagesObject.class, MmapPageHandler.class);
        define(context, mmap, "PagedQueue", MmapPagedQueue::new, PagesObject.class, MmapPagedQueue.class);
        define(context, mmap, "Queue", MmapQueue::new, PagesObject.class, MmapBlockingQueue.class, MmapQueue.class);
        define(context, mmap, "SizedQueue", MmapSizedQueue::new, PagesObject.class, MmapBlockingQueue.class,
                MmapSizedQueue.class);
    }

    private static void define(ThreadContext context, RubyModule mmap, String name, ObjectAllocator allocator,
            Class<?>... methods) {
        RubyClass type = mmap.defineClassUnder(context, name, Access.objectClass(context), allocator);
        type.defineMethods(context, methods);
        // A copy would be a second owner of one file.
        type.undefMethods(context, "initialize_copy");
    }
}
