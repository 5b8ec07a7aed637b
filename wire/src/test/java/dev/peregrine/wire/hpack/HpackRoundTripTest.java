package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.wire.Headers;
import dev.peregrine.wire.ResponseHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Long random conversations: what one side says is what the other side hears. */
class HpackRoundTripTest {

  private static final int BLOCKS = 2_000;
  private static final String[] NAMES = {
    ":method",
    ":path",
    ":status",
    "te",
    "user-agent",
    "grpc-timeout",
    "grpc-status",
    "cookie",
    "x",
    "x-request-id",
    "",
    "etag",
    "content-type",
    "authorization"
  };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void decoderFollowsAnyEncoder(long seed) throws HpackException {
    Random random = new Random(seed);
    ReferenceEncoder client = new ReferenceEncoder(random);
    HpackDecoder decoder = Blocks.decoder();
    List<Headers> said = new ArrayList<>();
    int repeated = 0;
    byte[] block = {};
    Headers fields = new Headers();
    for (int i = 0; i < BLOCKS; i++) {
      // Phases without indexing let the block cache work, the other phases take it apart.
      boolean mayIndex = i / 50 % 2 == 0;
      boolean repeat = !mayIndex && i % 50 % 3 != 0;
      if (!repeat) {
        fields = random.nextInt(3) == 0 || said.isEmpty() ? fields(random) : any(said, random);
        said.add(fields);
        block = client.encode(fields, mayIndex);
      }
      Headers heard = Blocks.decode(decoder, block);
      assertEquals(fields.toString(), heard.toString());
      assertEquals(fields.listBytes(), decoder.listBytes());
      assertEquals(client.tableText(), Blocks.text(decoder.table()));
      assertTrue(decoder.table().bytes() <= decoder.table().maxBytes());
      repeated += repeat ? 1 : 0;
    }
    assertTrue(repeated > BLOCKS / 4);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void peerFollowsOurEncoderThroughAnySettings(long seed) throws HpackException {
    Random random = new Random(seed);
    HpackEncoder encoder = new HpackEncoder();
    HpackDecoder peer = Blocks.decoder();
    List<ResponseHead> heads = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      while (random.nextInt(40) == 0) {
        encoder.maxTableBytes(random.nextInt(3) == 0 ? 0 : random.nextInt(6000));
      }
      if (heads.isEmpty() || random.nextInt(10) == 0) {
        heads.add(
            random.nextBoolean()
                ? ResponseHead.of(200 + random.nextInt(300), fields(random))
                : ResponseHead.trailers(fields(random)));
      }
      ResponseHead head = heads.get(heads.size() - 1 - random.nextInt(Math.min(12, heads.size())));
      Headers extra = random.nextBoolean() ? fields(random) : null;
      String expected =
          (head.status() == 0 ? "" : ":status: " + head.status() + "\n")
              + head.headers()
              + (extra == null ? "" : extra);
      assertEquals(expected, Blocks.decode(peer, Blocks.encode(encoder, head, extra)).toString());
      assertEquals(Blocks.text(encoder.table()), Blocks.text(peer.table()));
      assertEquals(encoder.table().maxBytes(), peer.table().maxBytes());
    }
  }

  private static Headers any(List<Headers> said, Random random) {
    return said.get(said.size() - 1 - random.nextInt(Math.min(10, said.size())));
  }

  private static Headers fields(Random random) {
    Headers fields = new Headers();
    int size = random.nextInt(8);
    for (int i = 0; i < size; i++) {
      int length = random.nextInt(8) == 0 ? random.nextInt(300) : random.nextInt(12);
      StringBuilder value = new StringBuilder();
      int range = random.nextBoolean() ? 2 : 256;
      for (int j = 0; j < length; j++) {
        value.append((char) (range == 2 ? 'a' + random.nextInt(26) : random.nextInt(range)));
      }
      fields.add(NAMES[random.nextInt(NAMES.length)], value.toString());
    }
    return fields;
  }
}
