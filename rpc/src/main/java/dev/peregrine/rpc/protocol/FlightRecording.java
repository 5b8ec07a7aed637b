package dev.peregrine.rpc.protocol;

/**
 * Whether this JVM has JDK Flight Recorder. Any thread.
 *
 * <p>Its module may be missing: a run-time image need not have it, and a module path has it only if
 * a module asks ({@code --add-modules jdk.jfr}). Without it nothing is recorded, and no class that
 * names it may be touched: look here first.
 */
public final class FlightRecording {

  /** Whether event classes may be used. */
  public static final boolean PRESENT = isPresent();

  private FlightRecording() {}

  private static boolean isPresent() {
    try {
      Class.forName("jdk.jfr.Event", false, FlightRecording.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
