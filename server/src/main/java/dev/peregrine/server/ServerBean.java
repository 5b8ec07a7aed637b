package dev.peregrine.server;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A {@link Server} as the platform's JMX shows it, once {@link #register} is called; the only class
 * here that needs {@code java.management}. Any thread.
 */
public final class ServerBean implements ServerMXBean, AutoCloseable {

  private final Server server;
  private final ObjectName name;
  private final AtomicBoolean registered = new AtomicBoolean();

  private ServerBean(Server server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Shows a server as {@code dev.peregrine:type=Server,port=…} until the bean is closed.
   *
   * @throws IllegalStateException if there is a bean of this name already, or the server has no
   *     port: {@link #register(Server, String)} is for servers with paths alone, and for several at
   *     one port
   */
  public static ServerBean register(Server server) {
    return registerAs(server, "port=" + server.port());
  }

  /**
   * Shows a server as {@code dev.peregrine:type=Server,name="…"} until the bean is closed.
   *
   * @param name of your choice; it is quoted as JMX wants it
   * @throws IllegalStateException if there is a bean of this name already
   */
  public static ServerBean register(Server server, String name) {
    return registerAs(server, "name=" + ObjectName.quote(name));
  }

  private static ServerBean registerAs(Server server, String key) {
    try {
      ServerBean bean = new ServerBean(server, new ObjectName("dev.peregrine:type=Server," + key));
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, bean.name);
      bean.registered.set(true);
      return bean;
    } catch (JMException e) {
      throw new IllegalStateException("cannot register the server with JMX", e);
    }
  }

  /** Takes the bean away. Idempotent. */
  @Override
  public void close() {
    if (!registered.compareAndSet(true, false)) {
      return; // the name may be another one's by now
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      Log.debug("the bean of the server is gone already", e);
    }
  }

  @Override
  public int getConnections() {
    return server.counts().connections();
  }

  @Override
  public long getAcceptedConnections() {
    return server.counts().acceptedConnections();
  }

  @Override
  public long getRefusedConnections() {
    return server.counts().refusedConnections();
  }

  @Override
  public int getHandshakes() {
    return server.counts().handshakes();
  }

  @Override
  public int getCalls() {
    return server.counts().calls();
  }

  @Override
  public long getQueuedBytes() {
    return server.counts().queuedBytes();
  }

  @Override
  public Map<String, Long> getLimits() {
    Map<String, Long> reached = new TreeMap<>();
    server
        .counts()
        .limits()
        .forEach(
            (limit, count) -> {
              if (count > 0) {
                reached.put(limit.name(), count);
              }
            });
    return reached;
  }
}
