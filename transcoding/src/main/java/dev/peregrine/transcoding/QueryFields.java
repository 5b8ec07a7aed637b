package dev.peregrine.transcoding;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.peregrine.rpc.MalformedMessageException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Puts the parameters of a query into the fields they name. For one request; any thread.
 *
 * <p>Nothing is guessed: a parameter that is given twice, or names no field, is refused, as JSON
 * with such a name is.
 */
final class QueryFields {

  /** Each looks a name up and may grow a list: more are no sensible request. */
  private static final int MAX_PARAMETERS = 1000;

  /** Names come from the peer, who is told no more of one than tells it from others. */
  private static final int MAX_TOLD_CHARS = 100;

  private final Message.Builder message;
  private final Predicate<FieldPath> bound;
  private final boolean ignoreUnknown;
  private final Set<String> seen = new HashSet<>();
  private int parameters;

  /**
   * For one message.
   *
   * @param bound whether the path or the content has a field already
   * @param ignoreUnknown whether parameters without a field of theirs are ignored
   */
  QueryFields(Message.Builder message, Predicate<FieldPath> bound, boolean ignoreUnknown) {
    this.message = message;
    this.bound = bound;
    this.ignoreUnknown = ignoreUnknown;
  }

  /**
   * Takes all of a query in.
   *
   * @param query as it was sent, without its question mark
   */
  void addAll(String query) throws MalformedMessageException {
    int at = 0;
    while (at < query.length()) {
      int ampersand = query.indexOf('&', at);
      int end = ampersand < 0 ? query.length() : ampersand;
      if (end > at) {
        if (++parameters > MAX_PARAMETERS) {
          throw new MalformedMessageException("more than " + MAX_PARAMETERS + " query parameters");
        }
        int equals = query.indexOf('=', at);
        boolean bare = equals < 0 || equals > end;
        add(
            PercentDecoding.query(query.substring(at, bare ? end : equals)),
            bare ? "" : PercentDecoding.query(query.substring(equals + 1, end)));
      }
      at = end + 1;
    }
  }

  private void add(String name, String value) throws MalformedMessageException {
    FieldPath path = FieldPath.of(message.getDescriptorForType(), name);
    if (path == null) {
      if (ignoreUnknown) {
        return;
      }
      throw new MalformedMessageException(
          "query parameter " + told(name) + ": " + typeName() + " has no such field");
    }
    if (bound.test(path)) {
      throw fault(path, "the field is set by the path or the content");
    }
    if (path.last().isMapField()) {
      throw fault(path, "a map is not one value");
    }
    if (!path.last().isRepeated() && !seen.add(path.text())) {
      throw fault(path, "given twice");
    }
    FieldDescriptor rival = path.rival(message);
    if (rival != null) {
      throw fault(path, "cannot be given beside " + rival.getName());
    }
    try {
      path.set(message, value);
    } catch (MalformedMessageException e) {
      throw new MalformedMessageException("query parameter " + e.getMessage());
    }
  }

  private String typeName() {
    return message.getDescriptorForType().getFullName();
  }

  private static MalformedMessageException fault(FieldPath path, String why) {
    return new MalformedMessageException("query parameter " + path.text() + ": " + why);
  }

  private static String told(String name) {
    return name.length() <= MAX_TOLD_CHARS ? name : name.substring(0, MAX_TOLD_CHARS) + "...";
  }
}
