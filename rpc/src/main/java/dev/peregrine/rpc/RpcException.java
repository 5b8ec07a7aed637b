package dev.peregrine.rpc;

import java.util.Objects;

/**
 * Ends a call with a status and, if wanted, trailers. Without a cause it carries no stack trace: it
 * is an answer, not a fault, and costs accordingly.
 */
public final class RpcException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Status status;
  private final transient Metadata trailers;

  /** Ends a call with a status. */
  public RpcException(Status status) {
    this(status, new Metadata());
  }

  /** Ends a call with a status and trailers. */
  public RpcException(Status status, Metadata trailers) {
    super(status.toString(), null, false, false);
    this.status = requireFailure(status);
    this.trailers = Objects.requireNonNull(trailers);
  }

  private static Status requireFailure(Status status) {
    if (status.isOk()) {
      throw new IllegalArgumentException("OK is not a failure");
    }
    return status;
  }

  /** How the call ends. */
  public Status status() {
    return status;
  }

  /** What is sent beside the status; may be added to before throwing. */
  public Metadata trailers() {
    return trailers;
  }
}
