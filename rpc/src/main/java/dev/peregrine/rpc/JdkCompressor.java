package dev.peregrine.rpc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/** The compressors that the JDK has. Any thread. */
enum JdkCompressor implements Compressor {
  GZIP("gzip") {
    @Override
    InputStream reading(InputStream source) throws IOException {
      return new GZIPInputStream(source);
    }

    @Override
    OutputStream writing(OutputStream target) throws IOException {
      return new GZIPOutputStream(target);
    }
  },
  DEFLATE("deflate") {
    @Override
    InputStream reading(InputStream source) {
      return new InflaterInputStream(source);
    }

    @Override
    OutputStream writing(OutputStream target) {
      return new DeflaterOutputStream(target);
    }
  };

  /** A first guess of what comes out: text and JSON shrink to about a quarter. */
  private static final int EXPECTED_RATIO = 4;

  private static final int MIN_STEP_BYTES = 256;

  private final String wireName;

  JdkCompressor(String wireName) {
    this.wireName = wireName;
  }

  abstract InputStream reading(InputStream source) throws IOException;

  abstract OutputStream writing(OutputStream target) throws IOException;

  @Override
  public String wireName() {
    return wireName;
  }

  @Override
  public byte[] compress(byte[] source, int offset, int length) {
    ByteArrayOutputStream target =
        new ByteArrayOutputStream(Math.max(MIN_STEP_BYTES, length / EXPECTED_RATIO));
    try (OutputStream out = writing(target)) {
      out.write(source, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return target.toByteArray();
  }

  @Override
  public byte[] decompress(byte[] source, int offset, int length, int maxBytes)
      throws MalformedMessageException {
    long guess = Math.max(MIN_STEP_BYTES, (long) length * EXPECTED_RATIO);
    byte[] target = new byte[(int) Math.min(guess, maxBytes)];
    int filled = 0;
    try (InputStream in = reading(new ByteArrayInputStream(source, offset, length))) {
      while (true) {
        if (filled == target.length) {
          int more = in.read();
          if (more < 0) {
            return target;
          }
          if (filled == maxBytes) {
            throw Status.RESOURCE_EXHAUSTED
                .withMessage("a decompressed message is over the limit of " + maxBytes + " bytes")
                .exception();
          }
          target = Arrays.copyOf(target, (int) Math.min(maxBytes, target.length * 2L));
          target[filled++] = (byte) more;
        }
        int step = in.read(target, filled, target.length - filled);
        if (step < 0) {
          return Arrays.copyOf(target, filled);
        }
        filled += step;
      }
    } catch (IOException e) {
      throw new MalformedMessageException("a message does not decompress as " + wireName);
    }
  }
}
