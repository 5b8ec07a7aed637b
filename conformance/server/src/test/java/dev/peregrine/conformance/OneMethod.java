package dev.peregrine.conformance;

import dev.peregrine.conformance.v1.Item;
import dev.peregrine.rpc.Handler;
import dev.peregrine.rpc.Method;
import dev.peregrine.rpc.Service;
import dev.peregrine.rpc.ServiceDefinition;

/** A service with one method, of which a test gives the handler. Any thread. */
record OneMethod(ServiceDefinition definition) implements Service {

  static final String PATH = "/test.One/Call";

  private static final String NAME = PATH.substring(1);

  /** The method answers one item with one. */
  static OneMethod unary(Handler.Unary<Item, Item> handler) {
    return new OneMethod(one().unary(Method.unary(NAME, item(), item()), handler));
  }

  /** The method answers one item with many. */
  static OneMethod serverStreaming(Handler.ServerStreaming<Item, Item> handler) {
    return new OneMethod(
        one().serverStreaming(Method.serverStreaming(NAME, item(), item()), handler));
  }

  /** The method takes and answers many. */
  static OneMethod bidiStreaming(Handler.Streaming<Item, Item> handler) {
    return new OneMethod(one().bidiStreaming(Method.bidiStreaming(NAME, item(), item()), handler));
  }

  /** The method takes and answers many, event-driven. */
  static OneMethod eventDriven(Handler.EventDriven<Item, Item> handler) {
    return new OneMethod(one().eventDriven(Method.bidiStreaming(NAME, item(), item()), handler));
  }

  private static ServiceDefinition one() {
    return ServiceDefinition.of("test.One");
  }

  private static Item item() {
    return Item.getDefaultInstance();
  }
}
