package dev.peregrine.transcoding;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the template that a path fits. Built by one thread, then immutable and for any.
 *
 * <p>A tree with a level for each segment. Literals go before {@code *} and that before {@code **},
 * from left to right; a template with a verb goes before one without. A node stands at one depth
 * and is visited once at most, so a request costs no more than there are nodes, whatever its path.
 *
 * @param <T> what is found
 */
final class PathTable<T> {

  /** The method of a rule for every method. */
  static final String ANY_METHOD = "*";

  /** What was found, and where its segments are. Immutable. */
  static final class Fit<T> {

    private final T value;
    private final String path;
    private final int[] starts;
    private final int segments;
    private final int end;

    private Fit(T value, String path, int[] starts, int segments, int end) {
      this.value = value;
      this.path = path;
      this.starts = starts;
      this.segments = segments;
      this.end = end;
    }

    T value() {
      return value;
    }

    /** The text which a variable takes, as it was sent. */
    String text(PathTemplate.Variable variable) {
      int from = starts[variable.from()];
      int to = variable.to() == segments ? end : starts[variable.to()] - 1;
      return from >= to ? "" : path.substring(from, to);
    }
  }

  private static final class Node<T> {
    private final Map<String, Node<T>> literals = new HashMap<>();
    private Node<T> one;
    // By verb, then by method.
    private final Map<String, Map<String, T>> ends = new HashMap<>();
    private final Map<String, Map<String, T>> rests = new HashMap<>();
  }

  private final Node<T> root = new Node<>();
  private final Set<String> verbs = new HashSet<>();
  private int depth;

  /**
   * Adds a template.
   *
   * @return what was there for such paths and is kept, or {@code null}
   */
  T add(String httpMethod, PathTemplate template, T value) {
    Node<T> node = root;
    boolean rest = false;
    for (String segment : template.segments()) {
      if (segment.equals(PathTemplate.REST)) {
        rest = true;
      } else if (segment.equals(PathTemplate.ONE)) {
        node.one = node.one == null ? new Node<>() : node.one;
        node = node.one;
      } else {
        node = node.literals.computeIfAbsent(segment, key -> new Node<>());
      }
    }
    depth = Math.max(depth, template.segments().size());
    if (!template.verb().isEmpty()) {
      verbs.add(template.verb());
    }
    return (rest ? node.rests : node.ends)
        .computeIfAbsent(template.verb(), key -> new HashMap<>())
        .putIfAbsent(httpMethod, value);
  }

  /**
   * Finds what a path fits.
   *
   * @param path without a query
   * @return {@code null} if there is nothing
   */
  Fit<T> find(String httpMethod, String path) {
    return new Search(httpMethod, path, null).run();
  }

  /** The methods for which a path would fit something, sorted. */
  Collection<String> methods(String path) {
    Set<String> methods = new TreeSet<>();
    new Search(null, path, methods).run();
    return List.copyOf(methods);
  }

  /** One walk through the tree. */
  private final class Search {

    private final String httpMethod;
    private final String path;
    private final Set<String> methods;
    private final int[] starts = new int[depth + 1];
    private String verb;
    private int end;

    /**
     * A search.
     *
     * @param methods takes all methods and lets the search go on; or {@code null}
     */
    Search(String httpMethod, String path, Set<String> methods) {
      this.httpMethod = httpMethod;
      this.path = path;
      this.methods = methods;
    }

    Fit<T> run() {
      if (!path.startsWith("/")) {
        return null;
      }
      int colon = path.lastIndexOf(':');
      if (colon > path.lastIndexOf('/') && verbs.contains(path.substring(colon + 1))) {
        Fit<T> fit = run(path.substring(colon + 1), colon);
        if (fit != null) {
          return fit;
        }
      }
      return run("", path.length());
    }

    private Fit<T> run(String wantedVerb, int pathEnd) {
      verb = wantedVerb;
      end = pathEnd;
      // The path "/" has no segments.
      return walk(root, end == 1 ? 1 : 0, 0);
    }

    /**
     * Looks on from a node.
     *
     * @param at where the slash before the next segment is, or the end
     */
    private Fit<T> walk(Node<T> node, int at, int level) {
      if (at == end) {
        Fit<T> fit = pick(node.ends, level);
        if (fit != null) {
          return fit;
        }
      } else {
        Fit<T> fit = walkSegment(node, at, level);
        if (fit != null) {
          return fit;
        }
      }
      starts[level] = at + 1;
      return pick(node.rests, level + 1);
    }

    private Fit<T> walkSegment(Node<T> node, int at, int level) {
      if (node.one == null && node.literals.isEmpty()) {
        return null;
      }
      int slash = path.indexOf('/', at + 1);
      int stop = slash < 0 || slash > end ? end : slash;
      Node<T> literal = node.literals.get(path.substring(at + 1, stop));
      Fit<T> fit = null;
      if (literal != null) {
        starts[level] = at + 1;
        fit = walk(literal, stop, level + 1);
      }
      // An empty segment is no name of anything.
      if (fit == null && node.one != null && stop > at + 1) {
        starts[level] = at + 1;
        fit = walk(node.one, stop, level + 1);
      }
      return fit;
    }

    private Fit<T> pick(Map<String, Map<String, T>> byVerb, int segments) {
      Map<String, T> byMethod = byVerb.get(verb);
      if (byMethod == null) {
        return null;
      }
      if (methods != null) {
        methods.addAll(byMethod.keySet());
        return null;
      }
      T value = byMethod.get(httpMethod);
      value = value == null ? byMethod.get(ANY_METHOD) : value;
      return value == null ? null : new Fit<>(value, path, starts, segments, end);
    }
  }
}
