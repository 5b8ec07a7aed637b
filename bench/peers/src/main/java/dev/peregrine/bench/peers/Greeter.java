package dev.peregrine.bench.peers;

import dev.peregrine.examples.helloworld.GreeterGrpc;
import dev.peregrine.examples.helloworld.HelloReply;
import dev.peregrine.examples.helloworld.HelloRequest;
import io.grpc.stub.StreamObserver;

/** Any thread. {@code helloworld.Greeter} on grpc-java's stubs. */
final class Greeter extends GreeterGrpc.GreeterImplBase {
  @Override
  public void sayHello(HelloRequest request, StreamObserver<HelloReply> out) {
    out.onNext(Greetings.sayHello(request));
    out.onCompleted();
  }
}
