package dev.peregrine.rpc;

/**
 * Names a value which interceptors hand to handlers. Compared by identity: keep it in a constant.
 *
 * @param <T> the value
 */
@SuppressWarnings("UnusedTypeParameter") // it types Context.get and set
public final class ContextKey<T> {

  private final String name;

  private ContextKey(String name) {
    this.name = name;
  }

  /** A new key; the name is for people. */
  public static <T> ContextKey<T> of(String name) {
    return new ContextKey<>(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
