package dev.peregrine.wire.http2;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * The {@code limits} line of a trace: components of {@link Http2Limits} by name, {@code life.NAME}
 * for those of {@link LifeLimits}. Any thread.
 */
final class TraceLimits {

  private static final String LIFE = "life.";

  private TraceLimits() {}

  static Http2Limits parse(String text, Http2Limits limits) {
    Http2Limits changed = limits;
    for (String word : text.split("\\s+", -1)) {
      String[] pair = word.split("=", -1);
      changed =
          pair[0].startsWith(LIFE)
              ? changed.withLife(with(changed.life(), pair[0].substring(LIFE.length()), pair[1]))
              : with(changed, pair[0], pair[1]);
    }
    return changed;
  }

  private static <T extends Record> T with(T values, String name, String value) {
    try {
      RecordComponent[] components = values.getClass().getRecordComponents();
      Object[] arguments = new Object[components.length];
      boolean found = false;
      for (int i = 0; i < components.length; i++) {
        boolean changes = components[i].getName().equals(name);
        found |= changes;
        arguments[i] =
            changes
                ? parse(components[i].getType(), value)
                : components[i].getAccessor().invoke(values);
      }
      if (!found) {
        throw new AssertionError("no such limit: " + name);
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      @SuppressWarnings("unchecked")
      Class<T> type = (Class<T>) values.getClass();
      return type.getDeclaredConstructor(types).newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("limits of a trace", e);
    }
  }

  private static Object parse(Class<?> type, String value) {
    if (type == int.class) {
      return Integer.valueOf(value);
    }
    return type == boolean.class ? (Object) Boolean.valueOf(value) : Long.valueOf(value);
  }
}
