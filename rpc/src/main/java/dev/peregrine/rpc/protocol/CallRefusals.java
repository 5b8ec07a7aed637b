package dev.peregrine.rpc.protocol;

import dev.peregrine.rpc.Status;
import java.util.function.Function;

/**
 * The answers to good requests which a server cannot take now, as one protocol writes them.
 * Immutable, any thread.
 *
 * @param tooBusy the execution of the method has too many calls waiting
 * @param tooMany the server has too many calls
 * @param tooFull the server keeps too many bytes that wait, some of them for this client
 * @param tooLate the deadline had passed on arrival
 */
record CallRefusals(Refusal tooBusy, Refusal tooMany, Refusal tooFull, Refusal tooLate) {

  /** What calls are told for which there is no memory, before they begin or for their answer. */
  static final Status TOO_FULL =
      Status.RESOURCE_EXHAUSTED.withMessage("too many bytes wait to be read; try again later");

  /** The refusals of a protocol, given how it refuses. */
  static CallRefusals of(Function<Status, Refusal> refuse) {
    return new CallRefusals(
        refuse.apply(
            Status.RESOURCE_EXHAUSTED.withMessage("too many calls are waiting; try again later")),
        refuse.apply(
            Status.RESOURCE_EXHAUSTED.withMessage(
                "the server has too many calls; try again later")),
        refuse.apply(TOO_FULL),
        refuse.apply(
            Status.DEADLINE_EXCEEDED.withMessage("the deadline had passed when the call arrived")));
  }
}
