package dev.peregrine.api;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The public surface of a package as text: every public type with its public and protected members,
 * sorted. Any thread.
 *
 * <p>The text is checked in beside this module, so that the surface changes in review or not at
 * all.
 */
public final class PublicApi {

  /** With {@code -Dapi.update=true}, {@link #difference} writes the file instead. */
  private static final String UPDATE = "api.update";

  private PublicApi() {}

  /**
   * Compares a package with its checked-in text.
   *
   * @param anchor any class of the package, in a folder of classes
   * @param file the checked-in text
   * @return what differs, for people; empty if nothing does
   */
  public static String difference(Class<?> anchor, Path file) throws IOException {
    List<String> actual = describe(anchor);
    if (Boolean.getBoolean(UPDATE)) {
      Files.write(file, actual);
      return "";
    }
    List<String> expected = Files.readAllLines(file);
    if (expected.equals(actual)) {
      return "";
    }
    StringBuilder text =
        new StringBuilder("the public API is not as " + file.getFileName() + " says; if that is ")
            .append("meant, run this test with -D" + UPDATE + "=true and commit the file:\n");
    without(expected, actual).forEach(line -> text.append("gone: ").append(line).append('\n'));
    without(actual, expected).forEach(line -> text.append("new:  ").append(line).append('\n'));
    return text.toString();
  }

  private static List<String> without(List<String> lines, List<String> others) {
    List<String> rest = new ArrayList<>(lines);
    rest.removeAll(others);
    return rest;
  }

  /** The text of the package of a class, in lines. */
  static List<String> describe(Class<?> anchor) {
    TypeText text = new TypeText(anchor.getPackageName());
    List<String> lines = new ArrayList<>();
    for (Class<?> type : publicTypes(anchor)) {
      lines.add(text.declaration(type));
      for (String member : members(type, text)) {
        lines.add("  " + member);
      }
      lines.add("");
    }
    return lines;
  }

  private static Set<String> members(Class<?> type, TypeText text) {
    Set<String> lines = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (isShown(field)) {
        lines.add(text.line(field));
      }
    }
    Stream.<Executable>concat(
            Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
        .filter(PublicApi::isShown)
        .forEach(member -> lines.add(text.line(member)));
    return lines;
  }

  private static boolean isShown(Member member) {
    return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        && !member.isSynthetic();
  }

  private static List<Class<?>> publicTypes(Class<?> anchor) {
    String folder = anchor.getPackageName().replace('.', File.separatorChar);
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(root(anchor).resolve(folder))) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.startsWith("package-info")) {
          String simple = name.substring(0, name.length() - ".class".length());
          Class<?> type = load(anchor, anchor.getPackageName() + "." + simple);
          if (isPublic(type)) {
            types.add(type);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return types;
  }

  private static Path root(Class<?> anchor) {
    try {
      return Path.of(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("where is " + anchor + "?", e);
    }
  }

  private static Class<?> load(Class<?> anchor, String name) {
    try {
      return Class.forName(name, false, anchor.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("its file is there, but not " + name, e);
    }
  }

  /** Whether a type and all those around it can be named by others. */
  private static boolean isPublic(Class<?> type) {
    for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
      if ((outer.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
          || outer.isAnonymousClass()
          || outer.isSynthetic()) {
        return false;
      }
    }
    return true;
  }
}
