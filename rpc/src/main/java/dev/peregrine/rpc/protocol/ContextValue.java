package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.ContextKey;

/**
 * What was left for a key, in a list of all values of a call. Immutable, so that what was left
 * before a handler began is found by the loop at the end of the call, whatever the handler still
 * adds meanwhile. Any thread.
 */
final class ContextValue {

  private final ContextKey<?> key;
  private final Object value;
  private final ContextValue next;

  private ContextValue(ContextKey<?> key, Object value, ContextValue next) {
    this.key = key;
    this.value = value;
    this.next = next;
  }

  /** The value of a key, or {@code null}. */
  static Object find(ContextValue first, ContextKey<?> key) {
    for (ContextValue at = first; at != null; at = at.next) {
      if (at.key == key) {
        return at.value;
      }
    }
    return null;
  }

  /** The list with a value, which stands for any before it. */
  static ContextValue with(ContextValue first, ContextKey<?> key, Object value) {
    return new ContextValue(key, value, without(first, key));
  }

  private static ContextValue without(ContextValue first, ContextKey<?> key) {
    if (find(first, key) == null) {
      return first;
    }
    ContextValue kept = null;
    for (ContextValue at = first; at != null; at = at.next) {
      if (at.key != key) {
        kept = new ContextValue(at.key, at.value, kept);
      }
    }
    return kept;
  }
}
