package dev.peregrine.bench.peers;

/** Any thread. Command lines of the form {@code --name value}. */
final class Flags {
  private final String[] args;

  Flags(String[] args) {
    if (args.length % 2 != 0) {
      throw new IllegalArgumentException("every flag takes a value");
    }
    this.args = args.clone();
  }

  /** The flag's value, or the fallback when it is absent. */
  String text(String name, String fallback) {
    for (int i = 0; i < args.length; i += 2) {
      if (args[i].equals(name)) {
        return args[i + 1];
      }
    }
    return fallback;
  }

  /** The flag's value as a number. */
  int number(String name, int fallback) {
    return Integer.parseInt(text(name, Integer.toString(fallback)));
  }
}
