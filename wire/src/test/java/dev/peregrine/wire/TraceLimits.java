package dev.peregrine.wire;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/**
 * The {@code limits} line of a trace: components of a record by name, {@code outer.inner} for those
 * of a record within. Any thread.
 */
public final class TraceLimits {

  private TraceLimits() {}

  /** The limits with those changed that the words name. */
  public static <T extends Record> T parse(List<String> words, T limits) {
    T changed = limits;
    for (String word : words) {
      String[] pair = word.split("=", -1);
      changed = with(changed, pair[0], pair[1]);
    }
    return changed;
  }

  private static <T extends Record> T with(T values, String name, String value) {
    try {
      RecordComponent[] components = values.getClass().getRecordComponents();
      Object[] arguments = new Object[components.length];
      boolean found = false;
      int dot = name.indexOf('.');
      String own = dot < 0 ? name : name.substring(0, dot);
      for (int i = 0; i < components.length; i++) {
        Object present = components[i].getAccessor().invoke(values);
        boolean changes = components[i].getName().equals(own);
        found |= changes;
        arguments[i] = present;
        if (changes) {
          arguments[i] =
              dot < 0
                  ? parse(components[i].getType(), value)
                  : with((Record) present, name.substring(dot + 1), value);
        }
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
