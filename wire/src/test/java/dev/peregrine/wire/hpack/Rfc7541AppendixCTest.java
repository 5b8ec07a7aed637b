package dev.peregrine.wire.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.peregrine.wire.Output;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The examples of RFC 7541, appendix C, with the state of the table after each block. */
class Rfc7541AppendixCTest {

  private static final String DATE_21 = "date: Mon, 21 Oct 2013 20:13:21 GMT\n";
  private static final String DATE_22 = "date: Mon, 21 Oct 2013 20:13:22 GMT\n";
  private static final String LOCATION = "location: https://www.example.com\n";
  private static final String PRIVATE = "cache-control: private\n";
  private static final String COOKIE =
      "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1\n";

  private final HpackDecoder decoder = Blocks.decoder();

  @Test
  void c1Integers() {
    Output out = new Output();
    FieldWriter.integer(out, 0, 0x1f, 10);
    FieldWriter.integer(out, 0, 0x1f, 1337);
    FieldWriter.integer(out, 0, 0xff, 42);
    assertEquals("0a1f9a0a2a", HexFormat.of().formatHex(out.array(), 0, out.size()));
  }

  @Test
  void c1IntegersRead() throws HpackException {
    BlockReader reader = new BlockReader();
    byte[] bytes = Blocks.hex("0a 1f9a0a 2a");
    reader.start(bytes, 0, bytes.length);
    assertEquals(10, reader.integer(0x1f));
    assertEquals(1337, reader.integer(0x1f));
    assertEquals(42, reader.integer(0xff));
  }

  @Test
  void c2LiteralWithIndexing() throws HpackException {
    check(
        "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572",
        "custom-key: custom-header\n",
        "custom-key: custom-header\n",
        55);
  }

  @Test
  void c2LiteralWithoutIndexing() throws HpackException {
    check("040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path\n", "", 0);
  }

  @Test
  void c2LiteralNeverIndexed() throws HpackException {
    check("1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret\n", "", 0);
  }

  @Test
  void c2Indexed() throws HpackException {
    check("82", ":method: GET\n", "", 0);
  }

  @Test
  void c3RequestsWithoutHuffman() throws HpackException {
    checkRequests(
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65");
  }

  @Test
  void c4RequestsWithHuffman() throws HpackException {
    checkRequests(
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");
  }

  @Test
  void c5ResponsesWithoutHuffmanAndWithEviction() throws HpackException {
    checkResponses(
        """
        4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
        2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70
        6c65 2e63 6f6d""",
        "4803 3330 37c1 c0bf",
        """
        88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d
        54c0 5a04 677a 6970 7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049
        5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b 2076 6572 7369 6f6e
        3d31""");
  }

  @Test
  void c6ResponsesWithHuffmanAndWithEviction() throws HpackException {
    checkResponses(
        """
        4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
        2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3""",
        "4883 640e ffc1 c0bf",
        """
        88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab
        77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f
        9587 3160 65c0 03ed 4ee5 b106 3d50 07""");
  }

  private void checkRequests(String first, String second, String third) throws HpackException {
    String get = ":method: GET\n:scheme: http\n:path: /\n";
    String authority = ":authority: www.example.com\n";
    check(first, get + authority, authority, 57);

    String noCache = "cache-control: no-cache\n";
    check(second, get + authority + noCache, noCache + authority, 110);

    String custom = "custom-key: custom-value\n";
    check(
        third,
        ":method: GET\n:scheme: https\n:path: /index.html\n" + authority + custom,
        custom + noCache + authority,
        164);
  }

  private void checkResponses(String first, String second, String third) throws HpackException {
    decoder.table().resize(256);
    String rest = PRIVATE + DATE_21 + LOCATION;
    check(first, ":status: 302\n" + rest, LOCATION + DATE_21 + PRIVATE + ":status: 302\n", 222);
    check(second, ":status: 307\n" + rest, ":status: 307\n" + LOCATION + DATE_21 + PRIVATE, 222);
    check(
        third,
        ":status: 200\n" + PRIVATE + DATE_22 + LOCATION + "content-encoding: gzip\n" + COOKIE,
        COOKIE + "content-encoding: gzip\n" + DATE_22,
        215);
  }

  private void check(String hex, String fields, String table, int tableBytes)
      throws HpackException {
    assertEquals(fields, Blocks.decode(decoder, hex).toString());
    assertEquals(table, Blocks.text(decoder.table()));
    assertEquals(tableBytes, decoder.table().bytes());
  }
}
