package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A server that sends values from RocksDB's block cache, without a copy on the heap or anywhere else in this process. */
public final class ValueToSocket {
    private static final byte[] KEY = "picture".getBytes(UTF_8);

    public static void main(String[] args) throws Exception {
        byte[] picture = new byte[4 << 20];
        new Random(1).nextBytes(picture);
        try (RocksDB db = RocksDB.open(Example.directory(), new Options().createIfMissing(true));
                ServerSocketChannel server = ServerSocketChannel.open().bind(loopback());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            db.put(KEY, picture);
            db.flush(); // into a file, so that it is read through the block cache

            Future<Long> sent = threads.submit(() -> {
                try (SocketChannel client = server.accept()) {
                    return send(db, KEY, client);
                }
            });
            byte[] received = receive((InetSocketAddress) server.getLocalAddress());
            IO.println("blocking: " + sent.get() + " bytes sent, " + received.length + " received");
            check(Arrays.equals(received, picture), "the value arrived");
        }
    }

    // tag::blocking[]
    static long send(RocksDB db, byte[] key, SocketChannel client) throws IOException {
        try (PinnedSlice value = db.getPinned(key)) {
            if (value == null) {
                return 0;
            }
            ByteBuffer bytes = value.segment().asByteBuffer(); // a view, not a copy
            while (bytes.hasRemaining()) {
                client.write(bytes); // from the block cache to the kernel
            }
            return value.size();
        }
    }
    // end::blocking[]

    private static byte[] receive(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.getInputStream().readAllBytes();
        }
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
