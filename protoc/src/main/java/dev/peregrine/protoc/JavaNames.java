package dev.peregrine.protoc;

import java.util.Locale;
import java.util.Set;

/** Any thread. Java names from names of protobuf, which are letters, digits and underscores. */
final class JavaNames {

  /** JLS 3.9: keywords and literals, none of which can name a method. */
  private static final Set<String> KEYWORDS =
      Set.of(
          ("abstract assert boolean break byte case catch char class const continue default do"
                  + " double else enum extends final finally float for goto if implements import"
                  + " instanceof int interface long native new package private protected public"
                  + " return short static strictfp super switch synchronized this throw throws"
                  + " transient try void volatile while true false null")
              .split(" "));

  private JavaNames() {}

  static boolean isKeyword(String name) {
    return KEYWORDS.contains(name);
  }

  /** {@code SayHello} and {@code say_hello} become {@code sayHello}. */
  static String lowerCamel(String name) {
    String camel = upperCamel(name);
    return camel.substring(0, 1).toLowerCase(Locale.ROOT) + camel.substring(1);
  }

  /** {@code say_hello} becomes {@code SayHello}; {@code GetURL} stays as it is. */
  static String upperCamel(String name) {
    StringBuilder camel = new StringBuilder(name.length());
    boolean capital = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c != '_') {
        camel.append(capital ? Character.toUpperCase(c) : c);
      }
      capital = c == '_';
    }
    return startingWithLetter(camel.toString());
  }

  /** {@code SayHello} becomes {@code SAY_HELLO}, {@code GetURLsV2} {@code GET_UR_LS_V2}. */
  static String constant(String name) {
    StringBuilder constant = new StringBuilder(name.length() + 4);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (beginsWord(name, i) && constant.length() > 0) {
        constant.append('_');
      }
      if (c != '_') {
        constant.append(Character.toUpperCase(c));
      }
    }
    return startingWithLetter(constant.toString());
  }

  private static boolean beginsWord(String name, int i) {
    if (i == 0 || name.charAt(i) == '_') {
      return false;
    }
    char before = name.charAt(i - 1);
    if (before == '_') {
      return true;
    }
    boolean upper = Character.isUpperCase(name.charAt(i));
    boolean lowerFollows = i + 1 < name.length() && Character.isLowerCase(name.charAt(i + 1));
    return upper && (!Character.isUpperCase(before) || lowerFollows);
  }

  /** Protobuf allows {@code _} and {@code _1} as names; without underscores they need a letter. */
  private static String startingWithLetter(String name) {
    return name.isEmpty() || Character.isDigit(name.charAt(0)) ? "X" + name : name;
  }

  /** The last part of a qualified name. */
  static String simple(String qualified) {
    return qualified.substring(qualified.lastIndexOf('.') + 1);
  }

  /** The simple name of the top-level class that is or contains a class of a package. */
  static String outermost(String qualified, String javaPackage) {
    String inPackage =
        javaPackage.isEmpty() ? qualified : qualified.substring(javaPackage.length() + 1);
    return firstPart(inPackage);
  }

  /** What stands before the first dot. */
  static String firstPart(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
