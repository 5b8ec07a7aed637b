package dev.peregrine.rpc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.peregrine.wire.Headers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Custom fields: what may be sent, and how what came is read. */
class MetadataTest {

  private static List<String> fields(Metadata metadata) {
    List<String> fields = new ArrayList<>();
    metadata.forEach((name, value) -> fields.add(name + "=" + value));
    return fields;
  }

  @Test
  void keepsOrderAndDuplicates() {
    Metadata metadata = new Metadata().add("b", "1").add("a", "2").add("b", "3");
    assertEquals(List.of("b=1", "a=2", "b=3"), fields(metadata));
    assertEquals("1", metadata.get("b"));
    assertEquals(List.of("1", "3"), metadata.getAll("b"));
    assertEquals(3, metadata.size());
    assertNull(metadata.get("c"));
    assertEquals(List.of(), metadata.getAll("c"));
  }

  @Test
  void namesAreLowerCaseHoweverTheyAreGiven() {
    Metadata metadata = new Metadata().add("X-Some.Name_1", "v");
    assertEquals(List.of("x-some.name_1=v"), fields(metadata));
    assertEquals("v", metadata.get("x-SOME.name_1"));
    assertEquals(List.of("v"), metadata.getAll("X-some.NAME_1"));
  }

  @Test
  void valuesLoseSpacesAroundThem() {
    assertEquals(List.of("a=b c"), fields(new Metadata().add("a", "  b c ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a:b", ":path", "\u00e4", "a\n", "a\0", "a/b", "\u212a"})
  void namesOfOtherCharactersAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> new Metadata().add(name, "v"));
    String binary = name.isEmpty() ? name : name + "-bin";
    assertThrows(
        IllegalArgumentException.class, () -> new Metadata().addBinary(binary, new byte[1]));
  }

  /** RFC 9113, 8.2.2: fields of a connection make a message malformed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "grpc-status",
        "grpc-message",
        "GRPC-Timeout",
        "grpc-x",
        "content-type",
        "te",
        "host",
        "content-length",
        "connection",
        "Keep-Alive",
        "proxy-connection",
        "transfer-encoding",
        "upgrade",
      })
  void namesOfTheProtocolAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> new Metadata().add(name, "v"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "a\r\nb: c", "\0", "\u007f", "\u0080", "\u00fc", "\ud83d\ude80"})
  void valuesOfOtherCharactersAreRefused(String value) {
    assertThrows(IllegalArgumentException.class, () -> new Metadata().add("a", value));
  }

  @Test
  void bytesNeedTheSuffixAndTextMustNotHaveIt() {
    assertThrows(IllegalArgumentException.class, () -> new Metadata().addBinary("a", new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> new Metadata().add("a-bin", "AQ"));
    assertThrows(IllegalArgumentException.class, () -> new Metadata().add("A-Bin", "AQ"));
  }

  @Test
  void bytesRoundTripUnpadded() {
    Random random = new Random(8);
    for (int length = 0; length < 100; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      Metadata metadata = new Metadata().addBinary("x-bin", bytes);
      assertEquals(-1, metadata.get("x-bin").indexOf('='));
      assertArrayEquals(bytes, metadata.getBinary("X-Bin"));
    }
    assertNull(new Metadata().getBinary("x-bin"));
  }

  // Pitfall P20.
  @Test
  void joinedAndPaddedBytesAreRead() {
    Metadata received =
        Metadata.of(
            new Headers().add("x-bin", "AQ==, Ag,AwQ=").add("x-bin", "").add("x-bin", "BQ"));
    List<byte[]> all = received.getAllBinary("x-bin");
    assertEquals(5, all.size());
    assertArrayEquals(new byte[] {1}, all.get(0));
    assertArrayEquals(new byte[] {2}, all.get(1));
    assertArrayEquals(new byte[] {3, 4}, all.get(2));
    assertArrayEquals(new byte[] {}, all.get(3));
    assertArrayEquals(new byte[] {5}, all.get(4));
    assertThrows(
        IllegalArgumentException.class,
        () -> Metadata.of(new Headers().add("x-bin", "@")).getBinary("x-bin"));
  }

  @Test
  void onlyCustomFieldsOfARequestAreShown() {
    Headers request =
        new Headers()
            .add(":method", "POST")
            .add(":path", "/a/b")
            .add("te", "trailers")
            .add("content-type", "application/grpc")
            .add("content-length", "5")
            .add("host", "x")
            .add("grpc-timeout", "1S")
            .add("grpc-unknown", "1")
            .add("user-agent", "test")
            .add("x-id", "7");
    assertEquals(List.of("user-agent=test", "x-id=7"), fields(Metadata.of(request)));
  }

  /** A value that HTTP allows must not fail a call, not even when it is sent back. */
  @Test
  void receivedValuesMayBeSentBackWhateverTheyAre() {
    Metadata received = Metadata.of(new Headers().add("x-name", "gr\u00f6\u00dfe"));
    assertEquals(
        List.of("a=1", "x-name=gr\u00f6\u00dfe"),
        fields(new Metadata().add("a", "1").addAll(received)));
  }

  @Test
  void addAllOfItselfDoublesIt() {
    Metadata metadata = new Metadata().add("a", "1");
    metadata.addAll(metadata);
    assertEquals(List.of("a=1", "a=1"), fields(metadata));
  }
}
