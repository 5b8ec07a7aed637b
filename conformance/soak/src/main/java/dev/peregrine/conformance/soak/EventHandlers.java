package dev.peregrine.conformance.soak;

import dev.peregrine.rpc.Call;
import dev.peregrine.rpc.CallListener;
import dev.peregrine.rpc.Status;
import java.util.zip.CRC32;

/** The five methods in event-driven style. Each listener: one thread at a time. */
final class EventHandlers {

  private EventHandlers() {}

  static CallListener<byte[]> unary(Call<byte[]> call) {
    return message -> {
      Delays.some();
      call.send(Payload.echo(message));
      call.close(Status.OK);
    };
  }

  static CallListener<byte[]> park(Call<byte[]> call) {
    return message -> {};
  }

  static CallListener<byte[]> download(Call<byte[]> call) {
    return new DownloadListener(call);
  }

  static CallListener<byte[]> upload(Call<byte[]> call) {
    return new UploadListener(call);
  }

  static CallListener<byte[]> chat(Call<byte[]> call) {
    return new ChatListener(call);
  }

  private static final class DownloadListener implements CallListener<byte[]> {
    private final Call<byte[]> call;
    private Payload.Download download;
    private int next;

    DownloadListener(Call<byte[]> call) {
      this.call = call;
    }

    @Override
    public void onMessage(byte[] message) {
      download = Payload.Download.of(message);
      onReady();
    }

    @Override
    public void onReady() {
      while (next < download.count() && call.ready()) {
        Delays.some();
        call.send(download.message(next++));
      }
      if (next == download.count()) {
        call.close(Status.OK);
      }
    }
  }

  private static final class UploadListener implements CallListener<byte[]> {
    private final Call<byte[]> call;
    private final CRC32 checksum = new CRC32();
    private int count;

    UploadListener(Call<byte[]> call) {
      this.call = call;
    }

    @Override
    public void onMessage(byte[] message) {
      checksum.update(message);
      count++;
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.send(Payload.sum(count, checksum));
      call.close(Status.OK);
    }
  }

  private static final class ChatListener implements CallListener<byte[]> {
    private final Call<byte[]> call;
    private boolean waiting;

    ChatListener(Call<byte[]> call) {
      this.call = call;
    }

    @Override
    public void onMessage(byte[] message) {
      Delays.some();
      call.send(Payload.echo(message));
      waiting = !call.ready();
      if (!waiting) {
        call.request(1);
      }
    }

    @Override
    public void onReady() {
      if (waiting) {
        waiting = false;
        call.request(1);
      }
    }

    @Override
    public void onHalfClose() {
      call.close(Status.OK);
    }
  }
}
