package dev.peregrine.server;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A {@link Server} as the platform's JMX shows it, once {@link #register} is called; the only class
 * here that needs {@code java.management}. Any thread.
 */
public final class ServerBean implements ServerMXBean, AutoCloseable {

  private final Server server;
  private final ObjectName name;

  private ServerBean(Server server, ObjectName name) {
    this.server = server;
    this.name = name;
  }

  /**
   * Shows a server as {@code dev.peregrine:type=Server,port=…} until the bean is closed.
   *
   * @throws IllegalStateException if there is a bean of this name already
   */
  public static ServerBean register(Server server) {
    try {
      ServerBean bean =
          new ServerBean(server, new ObjectName("dev.peregrine:type=Server,port=" + server.port()));
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, bean.name);
      return bean;
    } catch (JMException e) {
      throw new IllegalStateException("cannot register the server with JMX", e);
    }
  }

  /** Takes the bean away. Idempotent. */
  @Override
  public void close() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try {
      if (beans.isRegistered(name)) {
        beans.unregisterMBean(name);
      }
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
