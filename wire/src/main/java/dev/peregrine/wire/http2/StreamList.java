package dev.peregrine.wire.http2;

/** A queue of streams linked through themselves. Loop-confined. A stream is in one at a time. */
final class StreamList {

  private Http2Stream first;
  private Http2Stream last;

  boolean isEmpty() {
    return first == null;
  }

  /** The stream whose turn it is, or {@code null}. */
  Http2Stream first() {
    return first;
  }

  /** Appends a stream that is in no list. */
  void add(Http2Stream stream) {
    stream.list = this;
    stream.previous = last;
    if (last == null) {
      first = stream;
    } else {
      last.next = stream;
    }
    last = stream;
  }

  /** Takes out a stream that is in this list. */
  void remove(Http2Stream stream) {
    if (stream.previous == null) {
      first = stream.next;
    } else {
      stream.previous.next = stream.next;
    }
    if (stream.next == null) {
      last = stream.previous;
    } else {
      stream.next.previous = stream.previous;
    }
    stream.list = null;
    stream.previous = null;
    stream.next = null;
  }
}
