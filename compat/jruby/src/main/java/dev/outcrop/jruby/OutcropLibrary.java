package dev.outcrop.jruby;

import dev.outcrop.jruby.mmap.Mmap;
import dev.outcrop.jruby.queue.RubyQueue;
import org.jruby.Ruby;
import org.jruby.runtime.load.Library;

/** Defines the Ruby classes that are written in Java. {@code require "outcrop"} loads this class by its name. */
public final class OutcropLibrary implements Library {
    /** Called by JRuby. */
    public OutcropLibrary() {
    }

    @Override
    public void load(Ruby runtime, boolean wrap) {
        Mmap.define(runtime.getCurrentContext());
        RubyQueue.define(runtime.getCurrentContext());
    }
}
