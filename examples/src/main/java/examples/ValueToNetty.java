package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.SharedSlice;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;

/** A Netty server that sends values from RocksDB's block cache, without a copy. */
public final class ValueToNetty {
    private static final byte[] KEY = "picture".getBytes(UTF_8);

    public static void main(String[] args) throws Exception {
        byte[] picture = new byte[4 << 20];
        new Random(1).nextBytes(picture);
        try (RocksDB db = RocksDB.open(Example.directory(), new Options().createIfMissing(true));
                EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory())) {
            db.put(KEY, picture);
            db.flush(); // into a file, so that it is read through the block cache
            Channel server = new ServerBootstrap().group(loops).channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel client) {
                            client.pipeline().addLast(new Sender(db));
                        }
                    }).bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
            byte[] received = receive((InetSocketAddress) server.localAddress());
            IO.println("Netty: " + received.length + " bytes received");
            check(Arrays.equals(received, picture), "the value has arrived");
            server.close().sync();
        }
    }

    private static final class Sender extends ChannelInboundHandlerAdapter {
        private final RocksDB db;

        Sender(RocksDB db) {
            this.db = db;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(db, KEY, context.channel());
        }
    }

    // tag::netty[]
    static void send(RocksDB db, byte[] key, Channel client) {
        try (PinnedSlice value = db.getPinned(key)) {
            if (value == null) {
                client.close();
                return;
            }
            SharedSlice shared = value.share(); // what an event loop writes later, on whichever thread
            ByteBuf bytes = Unpooled.wrappedBuffer(shared.segment().asByteBuffer()); // a view, not a copy
            client.writeAndFlush(bytes).addListener(_ -> {
                shared.close(); // written or failed: Netty no longer needs the bytes
                client.close();
            });
        }
    }
    // end::netty[]

    private static byte[] receive(InetSocketAddress server) throws Exception {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            return socket.getInputStream().readAllBytes();
        }
    }
}
