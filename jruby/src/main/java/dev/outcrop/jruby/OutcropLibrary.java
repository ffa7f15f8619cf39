package dev.outcrop.jruby;

import org.jruby.Ruby;
import org.jruby.runtime.load.Library;

/** What {@code require "outcrop"} loads: defines the classes that are written in Java. */
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
