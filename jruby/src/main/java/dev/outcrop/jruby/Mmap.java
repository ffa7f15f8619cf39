package dev.outcrop.jruby;

import org.jruby.api.Define;
import org.jruby.runtime.ThreadContext;

/** The module {@code Mmap}: the interface of the gems {@code jruby-mmap} and {@code jruby-mmap-queues}. */
final class Mmap {
    private Mmap() {
    }

    static void define(ThreadContext context) {
        Define.defineModule(context, "Mmap");
    }
}
