package dev.peregrine.wire.http2;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** The {@code limits} line of a trace: components of {@link Http2Limits} by name. Any thread. */
final class TraceLimits {

  private TraceLimits() {}

  static Http2Limits parse(String text, Http2Limits limits) {
    try {
      RecordComponent[] components = Http2Limits.class.getRecordComponents();
      Object[] values = new Object[components.length];
      for (int i = 0; i < components.length; i++) {
        values[i] = components[i].getAccessor().invoke(limits);
      }
      for (String word : text.split("\\s+", -1)) {
        String[] pair = word.split("=", -1);
        int i = indexOf(components, pair[0]);
        values[i] =
            components[i].getType() == int.class
                ? (Object) Integer.valueOf(pair[1])
                : Long.valueOf(pair[1]);
      }
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return Http2Limits.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("limits of a trace", e);
    }
  }

  private static int indexOf(RecordComponent[] components, String name) {
    for (int i = 0; i < components.length; i++) {
      if (components[i].getName().equals(name)) {
        return i;
      }
    }
    throw new AssertionError("no such limit: " + name);
  }
}
