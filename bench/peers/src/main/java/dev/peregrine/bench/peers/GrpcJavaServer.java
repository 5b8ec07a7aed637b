package dev.peregrine.bench.peers;

import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLException;
import org.conscrypt.Conscrypt;

/**
 * Main thread. grpc-java on Netty with one event loop: {@code --port P --executor direct|default},
 * and {@code --tls openssl|conscrypt|jdk --cert FILE --key FILE}.
 *
 * <p>The direct executor runs handlers on the event loop, as our inline mode does; the default one
 * is grpc-java's shared cached thread pool.
 */
public final class GrpcJavaServer {
  /** Above the 10 MB that bench/streams sends. */
  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  private GrpcJavaServer() {}

  /** Serves until killed. */
  public static void main(String[] args) throws Exception {
    Flags flags = new Flags(args);
    boolean epoll = Epoll.isAvailable();
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    Class<? extends ServerChannel> channel =
        epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("127.0.0.1", flags.number("--port", 7000)))
            .channelType(channel)
            .bossEventLoopGroup(new MultiThreadIoEventLoopGroup(1, io))
            .workerEventLoopGroup(new MultiThreadIoEventLoopGroup(1, io))
            .addService(new GreeterV1())
            .addService(new Greeter())
            .addService(new Streams())
            .maxInboundMessageSize(MAX_MESSAGE_BYTES);
    String executor = flags.text("--executor", "direct");
    if (executor.equals("direct")) {
      builder.directExecutor();
    }
    String tls = flags.text("--tls", "");
    if (!tls.isEmpty()) {
      builder.sslContext(
          sslContext(tls, new File(flags.text("--cert", "")), new File(flags.text("--key", ""))));
    }
    builder.build().start().awaitTermination();
  }

  private static SslContext sslContext(String provider, File certificate, File key)
      throws SSLException {
    SslContextBuilder builder = SslContextBuilder.forServer(certificate, key);
    return switch (provider) {
      case "openssl" -> GrpcSslContexts.configure(builder, SslProvider.OPENSSL).build();
      case "conscrypt" -> GrpcSslContexts.configure(builder, Conscrypt.newProvider()).build();
      case "jdk" -> GrpcSslContexts.configure(builder, SslProvider.JDK).build();
      default -> throw new IllegalArgumentException("--tls " + provider);
    };
  }
}
