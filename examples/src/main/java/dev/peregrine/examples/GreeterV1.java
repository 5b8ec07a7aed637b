package dev.peregrine.examples;

import dev.peregrine.examples.helloworld.v1.GreeterService;
import dev.peregrine.examples.helloworld.v1.HelloRequest;
import dev.peregrine.examples.helloworld.v1.HelloResponse;
import dev.peregrine.rpc.Context;

/** Any thread. {@code helloworld.v1.Greeter}, the service that the benchmarks call. */
public final class GreeterV1 implements GreeterService {

  @Override
  public HelloResponse hello(HelloRequest request, Context context) {
    return HelloResponse.newBuilder().setMessage("Hello `" + request.getName() + "` 👋").build();
  }
}
