package dev.outcrop.jruby.queue;

import org.jruby.RubyString;
import org.jruby.api.Convert;
import org.jruby.api.Error;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/**
 * Turns items into strings and back, with a Ruby object that answers {@code serialize} and {@code deserialize}. Without such an object, the
 * items must be strings and do not change.
 */
final class ItemSerializer {
    /** Null if the items are strings themselves. */
    private final @Nullable IRubyObject object;

    /** Serializes with an object, or not at all if the object is nil. */
    ItemSerializer(IRubyObject object) {
        this.object = object.isNil() ? null : object;
    }

    /** Returns the string that an item becomes. */
    RubyString string(ThreadContext context, IRubyObject item) {
        if (object == null && item instanceof RubyString string) {
            return string;
        }
        IRubyObject serialized = object == null ? item : object.callMethod(context, "serialize", item);
        IRubyObject string = Convert.checkToString(context, serialized);
        if (string instanceof RubyString text) {
            return text;
        }
        throw object == null
                ? Error.typeError(context, "This queue takes strings, not objects of class "
                        + item.getMetaClass().getRealClass().getName(context)
                        + "; open it with a serializer: for example, serializer: :marshal")
                : Error.typeError(context,
                        "The serializer's method serialize has returned an object of class "
                                + serialized.getMetaClass().getRealClass().getName(context) + ", not a string");
    }

    /** Returns the item of a record. */
    IRubyObject item(ThreadContext context, byte[] record) {
        RubyString string = StringRecord.string(context, record);
        return object == null ? string : object.callMethod(context, "deserialize", string);
    }
}
