package dev.peregrine.conformance.soak;

/** Counts what holds and what does not, and prints a line for each. One thread. */
final class Checks {

  private int passed;
  private int failed;

  /**
   * One check.
   *
   * @param figures what was seen: printed in either case
   */
  void check(String what, boolean holds, String figures) {
    if (holds) {
      passed++;
    } else {
      failed++;
    }
    System.out.println((holds ? "ok soak " : "not ok soak ") + what + " (" + figures + ")");
  }

  /** Prints the totals, and says whether all is well. */
  boolean finish() {
    System.out.println(passed + " passed, " + failed + " failed");
    return failed == 0 && passed > 0;
  }
}
