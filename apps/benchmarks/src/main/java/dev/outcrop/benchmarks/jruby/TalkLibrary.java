package dev.outcrop.benchmarks.jruby;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.api.Access;
import org.jruby.api.Define;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.load.Library;

/** Defines {@code TalkExtension}. */
public final class TalkLibrary implements Library {
    @Override
    public void load(Ruby runtime, boolean wrap) {
        ThreadContext context = runtime.getCurrentContext();
        RubyClass type = Define.defineClass(context, "TalkExtension", Access.objectClass(context), TalkExtension::new);
        type.defineMethods(context, TalkExtension.class);
    }
}
