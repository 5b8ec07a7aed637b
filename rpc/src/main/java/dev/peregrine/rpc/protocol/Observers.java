package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.ServerObserver;
import java.util.List;
import java.util.function.BiConsumer;

/** Tells observers of something, one after the other. Any thread. */
public final class Observers {

  private Observers() {}

  /**
   * Tells all of them; what one throws, of whatever kind, is named and keeps nothing from the
   * others or from whoever tells.
   *
   * @param how the method of the observer to call
   */
  public static <T> void tell(
      List<ServerObserver> observers, BiConsumer<ServerObserver, T> how, T event) {
    for (ServerObserver observer : observers) {
      try {
        how.accept(observer, event);
      } catch (Throwable e) {
        FaultLog.observer(observer, e);
      }
    }
  }
}
