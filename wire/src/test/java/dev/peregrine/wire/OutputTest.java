package dev.peregrine.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutputTest {

  private final Output output = new Output();

  @Test
  void referencesKeepTheirPlaceAmongBytes() {
    output.write('a');
    output.refer(new byte[] {'x', 'b', 'c', 'x'}, 1, 2);
    output.refer(new byte[] {'d'}, 0, 1);
    output.write(new byte[] {'e', 'f'}, 0, 2);
    output.refer(new byte[] {'g'}, 0, 1);
    assertEquals(7, output.totalBytes());
    assertEquals(3, output.size());
    assertArrayEquals(new byte[] {'a', 'b', 'c', 'd', 'e', 'f', 'g'}, inPieces(7));
  }

  @Test
  void nothingIsLeftAfterClear() {
    output.refer(new byte[] {1, 2, 3}, 0, 3);
    output.clear();
    assertEquals(0, output.totalBytes());
    output.write(4);
    assertArrayEquals(new byte[] {4}, inPieces(9));
  }

  @Test
  void anyCutGivesTheSameBytes() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      output.clear();
      for (int i = random.nextInt(100); i > 0; i--) {
        byte[] bytes = new byte[1 + random.nextInt(50)];
        random.nextBytes(bytes);
        int offset = random.nextInt(bytes.length);
        int length = random.nextInt(bytes.length - offset + 1);
        expected.write(bytes, offset, length);
        if (random.nextBoolean()) {
          output.refer(bytes, offset, length);
        } else {
          output.write(bytes, offset, length);
        }
      }
      assertArrayEquals(expected.toByteArray(), inPieces(1 + random.nextInt(70)));
    }
  }

  /** Everything, copied as a socket takes it. */
  private byte[] inPieces(int pieceBytes) {
    byte[] all = new byte[output.totalBytes()];
    ByteBuffer piece = ByteBuffer.allocate(pieceBytes);
    for (int at = 0; at < all.length; at += piece.limit()) {
      output.copyTo(piece.clear(), at);
      piece.flip().get(all, at, piece.limit());
    }
    return all;
  }
}
