package dev.peregrine.explorer;

import dev.peregrine.server.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * Any thread. The page, assembled from the files beside this class: {@code page.html} with the
 * style, the scripts and the schema in their places, so that a browser asks for one thing only.
 */
final class Page {

  /** In the order of use, though it matters only to readers: together they are one module. */
  private static final List<String> SCRIPTS =
      List.of(
          "dom.js",
          "types.js",
          "template.js",
          "connect.js",
          "form.js",
          "docs.js",
          "request.js",
          "result.js",
          "main.js");

  private static final String STYLE_MARK = "/*STYLE*/";
  private static final String SCRIPT_MARK = "/*SCRIPT*/";
  private static final String SCHEMA_MARK = "/*SCHEMA*/";

  private final String html;
  private final String policy;

  private Page(String html, String policy) {
    this.html = html;
    this.policy = policy;
  }

  /**
   * The page for a schema.
   *
   * @param schema JSON in which {@code <} is escaped
   */
  static Page of(String schema) {
    String style = read("style.css");
    StringBuilder scripts = new StringBuilder();
    for (String name : SCRIPTS) {
      scripts.append(read(name)).append('\n');
    }
    String script = scripts.toString();
    String html =
        read("page.html")
            .replace(STYLE_MARK, style)
            .replace(SCRIPT_MARK, script)
            // Last, since a comment in it may hold anything, another mark too.
            .replace(SCHEMA_MARK, schema);
    return new Page(html, policy(style, script));
  }

  /**
   * CSP 3, 2.3.1: nothing but our own style and script, named by their hashes, runs; nothing is
   * loaded but calls to this origin; nobody frames the page, since it holds a button that calls.
   */
  private static String policy(String style, String script) {
    return "default-src 'none'; style-src '"
        + hash(style)
        + "'; script-src '"
        + hash(script)
        + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
        + " frame-ancestors 'none'";
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String read(String name) {
    try (InputStream file = Page.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is missing from the jar");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String html() {
    return html;
  }

  /** The value of {@code content-security-policy}. */
  String policy() {
    return policy;
  }

  /** The page as a response, always the same. */
  HttpResponse response() {
    return HttpResponse.of(200, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8))
        .withHeader("content-security-policy", policy)
        .withHeader("x-content-type-options", "nosniff")
        .withHeader("referrer-policy", "no-referrer")
        // The next start of the server may serve something else.
        .withHeader("cache-control", "no-cache");
  }
}
