package dev.peregrine.bench.peers;

import dev.peregrine.examples.helloworld.v1.GreeterGrpc;
import dev.peregrine.examples.helloworld.v1.HelloRequest;
import dev.peregrine.examples.helloworld.v1.HelloResponse;
import io.grpc.stub.StreamObserver;

/** Any thread. {@code helloworld.v1.Greeter} on grpc-java's stubs. */
final class GreeterV1 extends GreeterGrpc.GreeterImplBase {
  @Override
  public void hello(HelloRequest request, StreamObserver<HelloResponse> out) {
    out.onNext(Greetings.hello(request));
    out.onCompleted();
  }
}
