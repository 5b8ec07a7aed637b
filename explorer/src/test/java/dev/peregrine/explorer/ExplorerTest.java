package dev.peregrine.explorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.peregrine.explorer.zoo.KeeperService;
import dev.peregrine.server.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page as a server serves it. */
class ExplorerTest {

  private static final class Keeper implements KeeperService {}

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static Server server;

  @BeforeAll
  static void start() {
    server =
        Server.builder()
            .port(0)
            .onTerm(false)
            .add(new Keeper())
            .http("/", new Explorer())
            .http("/also", new Explorer())
            .start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> send(String method, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
            .method(method, BodyPublishers.ofString(body))
            .header("content-type", "application/json")
            .build();
    return CLIENT.send(request, BodyHandlers.ofString());
  }

  @Test
  void onePathServesTheWholePageUnderAStrictPolicy() throws Exception {
    HttpResponse<String> response = send("GET", "/", "");
    assertEquals(200, response.statusCode());
    assertEquals("text/html; charset=utf-8", response.headers().firstValue("content-type").get());
    String policy = response.headers().firstValue("content-security-policy").get();
    assertTrue(policy.startsWith("default-src 'none'; "), policy);
    assertTrue(response.body().contains("\"name\":\"zoo.Keeper\""));
    assertTrue(response.body().contains("Keeps animals."));
    assertEquals(response.body(), send("GET", "/also?x", "").body());
  }

  @Test
  void headHasNoBody() throws Exception {
    HttpResponse<String> response = send("HEAD", "/", "");
    assertEquals(200, response.statusCode());
    assertEquals("", response.body());
  }

  @Test
  void otherMethodsAreNotAllowed() throws Exception {
    HttpResponse<String> response = send("POST", "/", "{}");
    assertEquals(405, response.statusCode());
    assertEquals("GET, HEAD", response.headers().firstValue("allow").get());
  }

  @Test
  void theServerSpeaksJsonWithoutFurtherAdo() throws Exception {
    HttpResponse<String> response = send("POST", "/zoo.Keeper/Feed", "{\"givenName\":\"Leo\"}");
    assertEquals(501, response.statusCode());
    assertTrue(response.body().contains("\"code\":\"unimplemented\""), response.body());
  }
}
