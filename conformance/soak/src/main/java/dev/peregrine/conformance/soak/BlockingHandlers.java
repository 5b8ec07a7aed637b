package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.Context;
import dev.peregrine.rpc.Requests;
import dev.peregrine.rpc.Responses;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;

/** The five methods in blocking style. Any thread. */
final class BlockingHandlers {

  private BlockingHandlers() {}

  static byte[] unary(byte[] request, Context context) {
    Delays.some();
    return Payload.echo(request);
  }

  static byte[] park(byte[] request, Context context) throws InterruptedException {
    CountDownLatch cancelled = new CountDownLatch(1);
    context.onCancel(cancelled::countDown);
    cancelled.await();
    return request;
  }

  static void download(byte[] request, Responses<byte[]> responses, Context context) {
    Payload.Download download = Payload.Download.of(request);
    for (int i = 0; i < download.count(); i++) {
      Delays.some();
      responses.send(download.message(i));
    }
  }

  static byte[] upload(Requests<byte[]> requests, Context context) {
    CRC32 checksum = new CRC32();
    int count = 0;
    for (byte[] message : requests) {
      Delays.some();
      checksum.update(message);
      count++;
    }
    return Payload.sum(count, checksum);
  }

  static void chat(Requests<byte[]> requests, Responses<byte[]> responses, Context context) {
    for (byte[] message : requests) {
      Delays.some();
      responses.send(Payload.echo(message));
    }
  }
}
