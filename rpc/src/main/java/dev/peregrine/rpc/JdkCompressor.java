package dev.peregrine.rpc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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

  /** A first guess of what comes out of compression: text and JSON shrink to about a quarter. */
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
    try (InputStream in = reading(new ByteArrayInputStream(source, offset, length))) {
      return Compressor.readAll(in, length, maxBytes);
    } catch (IOException e) {
      throw new MalformedMessageException("a message does not decompress as " + wireName);
    } catch (StackOverflowError e) {
      // GZIPInputStream calls itself for each empty member: nobody sends thousands in good faith.
      throw new MalformedMessageException("a message has too many members of " + wireName);
    }
  }
}
