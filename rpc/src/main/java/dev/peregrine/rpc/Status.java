package dev.peregrine.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a call ended: a code of gRPC's {@code statuscodes.md} and a text for people. Immutable, any
 * thread.
 */
public final class Status {

  /** The sixteen reasons to fail, and OK. */
  public enum Code {
    OK(0),
    CANCELLED(1),
    UNKNOWN(2),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    ALREADY_EXISTS(6),
    PERMISSION_DENIED(7),
    RESOURCE_EXHAUSTED(8),
    FAILED_PRECONDITION(9),
    ABORTED(10),
    OUT_OF_RANGE(11),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14),
    DATA_LOSS(15),
    UNAUTHENTICATED(16);

    private static final Code[] BY_NUMBER = values();

    private final int number;

    Code(int number) {
      this.number = number;
    }

    /** The number on the wire, 0 to 16. */
    public int number() {
      return number;
    }

    /** The code for a number on the wire; UNKNOWN for one outside 0 to 16. */
    public static Code of(int number) {
      return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : UNKNOWN;
    }
  }

  public static final Status OK = new Status(Code.OK, "");
  public static final Status CANCELLED = new Status(Code.CANCELLED, "");
  public static final Status UNKNOWN = new Status(Code.UNKNOWN, "");
  public static final Status INVALID_ARGUMENT = new Status(Code.INVALID_ARGUMENT, "");
  public static final Status DEADLINE_EXCEEDED = new Status(Code.DEADLINE_EXCEEDED, "");
  public static final Status NOT_FOUND = new Status(Code.NOT_FOUND, "");
  public static final Status ALREADY_EXISTS = new Status(Code.ALREADY_EXISTS, "");
  public static final Status PERMISSION_DENIED = new Status(Code.PERMISSION_DENIED, "");
  public static final Status RESOURCE_EXHAUSTED = new Status(Code.RESOURCE_EXHAUSTED, "");
  public static final Status FAILED_PRECONDITION = new Status(Code.FAILED_PRECONDITION, "");
  public static final Status ABORTED = new Status(Code.ABORTED, "");
  public static final Status OUT_OF_RANGE = new Status(Code.OUT_OF_RANGE, "");
  public static final Status UNIMPLEMENTED = new Status(Code.UNIMPLEMENTED, "");
  public static final Status INTERNAL = new Status(Code.INTERNAL, "");
  public static final Status UNAVAILABLE = new Status(Code.UNAVAILABLE, "");
  public static final Status DATA_LOSS = new Status(Code.DATA_LOSS, "");
  public static final Status UNAUTHENTICATED = new Status(Code.UNAUTHENTICATED, "");

  private static final Status[] PLAIN = {
    OK,
    CANCELLED,
    UNKNOWN,
    INVALID_ARGUMENT,
    DEADLINE_EXCEEDED,
    NOT_FOUND,
    ALREADY_EXISTS,
    PERMISSION_DENIED,
    RESOURCE_EXHAUSTED,
    FAILED_PRECONDITION,
    ABORTED,
    OUT_OF_RANGE,
    UNIMPLEMENTED,
    INTERNAL,
    UNAVAILABLE,
    DATA_LOSS,
    UNAUTHENTICATED
  };

  private final Code code;
  private final String message;
  private final List<Any> details;

  private Status(Code code, String message) {
    this(code, message, List.of());
  }

  private Status(Code code, String message, List<Any> details) {
    this.code = code;
    this.message = message;
    this.details = details;
  }

  /** The status of a code, without a text. */
  public static Status of(Code code) {
    return PLAIN[code.number()];
  }

  /** The same code with a text, which the client will see: any characters, empty for none. */
  public Status withMessage(String text) {
    return new Status(code, Objects.requireNonNull(text), details);
  }

  /** The same with further details, as in {@code google.rpc.Status}. */
  public Status withDetails(Message... more) {
    List<Any> all = new ArrayList<>(details);
    for (Message detail : more) {
      all.add(detail instanceof Any any ? any : Any.pack(detail));
    }
    return new Status(code, message, List.copyOf(all));
  }

  /** The code. */
  public Code code() {
    return code;
  }

  /** The text for people; empty when there is none. */
  public String message() {
    return message;
  }

  /** What machines may read beyond the code. */
  public List<Any> details() {
    return details;
  }

  /** Whether there is nothing but the code. */
  public boolean isPlain() {
    return message.isEmpty() && details.isEmpty();
  }

  /** Whether the call succeeded. */
  public boolean isOk() {
    return code == Code.OK;
  }

  /** What a handler throws to end its call with this status. */
  public RpcException exception() {
    return new RpcException(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Status status
        && code == status.code
        && message.equals(status.message)
        && details.equals(status.details);
  }

  @Override
  public int hashCode() {
    return Objects.hash(code, message, details);
  }

  @Override
  public String toString() {
    return message.isEmpty() ? code.name() : code + ": " + message;
  }
}
