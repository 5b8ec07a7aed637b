package dev.peregrine.bench.peers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Main thread. {@code Hello world} by Netty's codecs as its own examples use them, HTTP/1.1 and
 * HTTP/2 with prior knowledge on one port, one epoll loop: {@code --port P}.
 */
public final class NettyHttpServer {

  private static final byte[] HELLO = "Hello world".getBytes(StandardCharsets.US_ASCII);

  private NettyHttpServer() {}

  /** Serves until killed. */
  public static void main(String[] args) throws InterruptedException {
    Flags flags = new Flags(args);
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    new ServerBootstrap()
        .group(loop)
        .channel(EpollServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 4096)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new Detector());
              }
            })
        .bind("127.0.0.1", flags.number("--port", 7000))
        .sync()
        .channel()
        .closeFuture()
        .sync();
  }

  /** Tells the versions apart by the first bytes. */
  private static final class Detector extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
      if (in.readableBytes() < 3) {
        return;
      }
      boolean http2 =
          in.getByte(in.readerIndex()) == 'P' && in.getByte(in.readerIndex() + 1) == 'R';
      if (http2) {
        context.pipeline().addLast(Http2FrameCodecBuilder.forServer().build(), new Hello2());
      } else {
        context.pipeline().addLast(new HttpServerCodec(), new Hello1());
      }
      context.pipeline().remove(this);
    }
  }

  /** HTTP/1.1. */
  private static final class Hello1 extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        DefaultFullHttpResponse response =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(HELLO));
        response
            .headers()
            .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
            .setInt(HttpHeaderNames.CONTENT_LENGTH, HELLO.length);
        context.write(response, context.voidPromise());
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }

  /** HTTP/2, without a channel for each stream: the faster of Netty's two ways. */
  private static final class Hello2 extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2HeadersFrame frame && frame.isEndStream()) {
        Http2FrameStream stream = frame.stream();
        DefaultHttp2Headers headers = new DefaultHttp2Headers(false);
        headers.status("200").set("content-type", "text/plain").set("content-length", "11");
        context.write(new DefaultHttp2HeadersFrame(headers).stream(stream));
        context.write(
            new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(HELLO), true).stream(stream));
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }
  }
}
