package dev.peregrine.protoc;

/** Any thread. Says in one sentence why nothing can be generated; protoc shows it to the user. */
final class GeneratorException extends Exception {

  private static final long serialVersionUID = 1L;

  GeneratorException(String message) {
    super(message, null, false, false);
  }
}
