package dev.peregrine.bench.peers;

import dev.peregrine.examples.helloworld.HelloReply;
import dev.peregrine.examples.helloworld.v1.HelloRequest;
import dev.peregrine.examples.helloworld.v1.HelloResponse;

/** Any thread. What every server under test answers: the same work behind each framework. */
final class Greetings {
  private Greetings() {}

  static HelloResponse hello(HelloRequest request) {
    return HelloResponse.newBuilder().setMessage("Hello `" + request.getName() + "` 👋").build();
  }

  static HelloReply sayHello(dev.peregrine.examples.helloworld.HelloRequest request) {
    return HelloReply.newBuilder().setMessage("Hello " + request.getName() + "!").build();
  }
}
