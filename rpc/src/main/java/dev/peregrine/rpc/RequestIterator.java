package dev.peregrine.rpc;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** {@link Requests} as an iterator, for the enhanced {@code for}. Handler thread. */
final class RequestIterator<Q> implements Iterator<Q> {

  private final Requests<Q> requests;
  private Q ahead;
  private boolean ended;

  RequestIterator(Requests<Q> requests) {
    this.requests = requests;
  }

  @Override
  public boolean hasNext() {
    if (ahead == null && !ended) {
      ahead = requests.next();
      ended = ahead == null;
    }
    return ahead != null;
  }

  @Override
  public Q next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Q message = ahead;
    ahead = null;
    return message;
  }
}
