package dev.peregrine.api;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Types and members as lines of text, the same on every JDK. Any thread. */
final class TypeText {

  /** What only the implementation or the compiler needs. */
  private static final int NOT_SHOWN =
      Modifier.SYNCHRONIZED
          | Modifier.NATIVE
          | Modifier.STRICT
          | Modifier.TRANSIENT
          | Modifier.VOLATILE
          | Modifier.INTERFACE;

  private final String packagePrefix;

  TypeText(String packageName) {
    this.packagePrefix = packageName + ".";
  }

  String declaration(Class<?> type) {
    StringBuilder line = new StringBuilder(modifiers(type)).append(kind(type)).append(' ');
    line.append(name(type)).append(parameters(type));
    Type parent = type.getGenericSuperclass();
    if (parent != null && parent != Object.class && !type.isEnum() && !type.isRecord()) {
      line.append(" extends ").append(name(parent));
    }
    Type[] interfaces = type.getGenericInterfaces();
    if (interfaces.length > 0) {
      line.append(type.isInterface() ? " extends " : " implements ").append(names(interfaces));
    }
    return line.toString();
  }

  private static String modifiers(Class<?> type) {
    int shown = type.getModifiers() & ~NOT_SHOWN;
    if (type.isInterface() || type.isAnnotation() || type.isEnum()) {
      shown &= ~(Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL);
    } else if (type.isRecord()) {
      shown &= ~(Modifier.STATIC | Modifier.FINAL);
    }
    String text = Modifier.toString(shown);
    return (text.isEmpty() ? "" : text + " ") + (type.isSealed() ? "sealed " : "");
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface";
    } else if (type.isInterface()) {
      return "interface";
    } else if (type.isEnum()) {
      return "enum";
    }
    return type.isRecord() ? "record" : "class";
  }

  String line(Field field) {
    return modifiers(field.getModifiers()) + name(field.getGenericType()) + " " + field.getName();
  }

  String line(Executable member) {
    StringBuilder line = new StringBuilder();
    if (member instanceof Method method) {
      line.append(method.isDefault() ? "default " : "");
      line.append(modifiers(member.getModifiers()));
      line.append(parameters(member)).append(member.getTypeParameters().length > 0 ? " " : "");
      line.append(name(method.getGenericReturnType())).append(' ').append(member.getName());
    } else {
      line.append(modifiers(member.getModifiers()));
      line.append(parameters(member)).append(member.getTypeParameters().length > 0 ? " " : "");
      line.append(member.getDeclaringClass().getSimpleName());
    }
    line.append('(').append(names(member.getGenericParameterTypes())).append(')');
    if (member.getExceptionTypes().length > 0) {
      line.append(" throws ").append(names(member.getGenericExceptionTypes()));
    }
    return line.toString();
  }

  private static String modifiers(int modifiers) {
    String text = Modifier.toString(modifiers & ~NOT_SHOWN & ~Modifier.PUBLIC);
    return text.isEmpty() ? "" : text + " ";
  }

  private String parameters(GenericDeclaration declaration) {
    TypeVariable<?>[] variables = declaration.getTypeParameters();
    return variables.length == 0
        ? ""
        : Arrays.stream(variables).map(this::bounded).collect(Collectors.joining(", ", "<", ">"));
  }

  private String bounded(TypeVariable<?> variable) {
    String bounds =
        Stream.of(variable.getBounds())
            .filter(bound -> bound != Object.class)
            .map(this::name)
            .collect(Collectors.joining(" & "));
    return variable.getName() + (bounds.isEmpty() ? "" : " extends " + bounds);
  }

  private String names(Type[] types) {
    return Stream.of(types).map(this::name).collect(Collectors.joining(", "));
  }

  private String name(Type type) {
    return type.getTypeName()
        .replace(packagePrefix, "")
        .replace("java.lang.", "")
        .replace("java.util.function.", "")
        .replace("java.util.", "")
        .replace('$', '.');
  }
}
