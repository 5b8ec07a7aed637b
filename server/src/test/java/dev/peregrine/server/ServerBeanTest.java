package dev.peregrine.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server's counts, as a JMX client reads them. */
class ServerBeanTest {

  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void countsAreThoseOfTheServer() throws Exception {
    Server server =
        Server.builder()
            .port(0)
            .add(new EchoService())
            .connectionLimits(ConnectionLimits.DEFAULTS.withMaxConnections(1))
            .start();
    ObjectName name = new ObjectName("dev.peregrine:type=Server,port=" + server.port());
    try (server) {
      try (ServerBean bean = ServerBean.register(server);
          Socket first = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        while ((int) beans.getAttribute(name, "Connections") < 1) {
          Thread.onSpinWait();
        }
        try (Socket second = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
          assertEquals(-1, second.getInputStream().read());
        }
        assertEquals(1L, beans.getAttribute(name, "RefusedConnections"));
        assertEquals(1L, beans.getAttribute(name, "AcceptedConnections"));
        assertEquals(0, beans.getAttribute(name, "Calls"));
        TabularData limits = (TabularData) beans.getAttribute(name, "Limits");
        assertEquals(1L, limits.get(new Object[] {"CONNECTIONS"}).get("value"));
        assertThrows(IllegalStateException.class, () -> ServerBean.register(server));
        assertEquals(1, bean.getConnections());
        assertFalse(first.isClosed());
      }
      assertFalse(beans.isRegistered(name));
    }
  }

  @Test
  void twoServersOfOnePortAreToldApartByNames() throws Exception {
    ObjectName name = new ObjectName("dev.peregrine:type=Server,name=\"blue, 1\"");
    try (Server server = Server.builder().port(0).add(new EchoService()).start()) {
      ServerBean first = ServerBean.register(server, "blue, 1");
      first.close();
      try (ServerBean second = ServerBean.register(server, "blue, 1")) {
        first.close();
        assertTrue(beans.isRegistered(name), "the first bean has taken the second one away");
        assertEquals(0, second.getConnections());
      }
      assertFalse(beans.isRegistered(name));
    }
  }
}
