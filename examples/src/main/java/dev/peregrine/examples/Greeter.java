package dev.peregrine.examples;

import dev.peregrine.examples.helloworld.GreeterService;
import dev.peregrine.examples.helloworld.HelloReply;
import dev.peregrine.examples.helloworld.HelloRequest;
import dev.peregrine.rpc.Context;

/** Any thread. {@code helloworld.Greeter}, the service of every gRPC tutorial. */
public final class Greeter implements GreeterService {

  @Override
  public HelloReply sayHello(HelloRequest request, Context context) {
    return HelloReply.newBuilder().setMessage("Hello " + request.getName() + "!").build();
  }
}
