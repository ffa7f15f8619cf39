package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.SharedSlice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Servers that send values from RocksDB's block cache, without a copy on the heap or anywhere else in this process. */
public final class ValueToSocket {
    private static final byte[] KEY = "picture".getBytes(UTF_8);
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    public static void main(String[] args) throws Exception {
        byte[] picture = new byte[4 << 20];
        new Random(1).nextBytes(picture);
        try (RocksDB db = RocksDB.open(Example.directory(), new Options().createIfMissing(true))) {
            db.put(KEY, picture);
            db.flush(); // into a file, so that it is read through the block cache
            serveBlocking(db, picture);
            serveAsynchronously(db, picture);
            check(db.pinnedBytes() == 0, "nothing stays pinned");
        }
    }

    private static void serveBlocking(RocksDB db, byte[] picture) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(ANY_PORT);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> sent = threads.submit(() -> {
                try (SocketChannel client = server.accept()) {
                    return send(db, KEY, client);
                }
            });
            byte[] received = receive(server.getLocalAddress());
            IO.println("blocking: " + sent.get() + " bytes sent, " + received.length + " received");
            check(Arrays.equals(received, picture), "the value has arrived");
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

    private static void serveAsynchronously(RocksDB db, byte[] picture) throws Exception {
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open().bind(ANY_PORT);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<byte[]> received = threads.submit(() -> receive(server.getLocalAddress()));
            try (AsynchronousSocketChannel client = server.accept().get()) {
                IO.println("asynchronous: " + sendAsync(db, KEY, client).get() + " bytes sent");
            }
            check(Arrays.equals(received.get(), picture), "the value has arrived");
        }
    }

    // tag::asynchronous[]
    static CompletableFuture<Long> sendAsync(RocksDB db, byte[] key, AsynchronousSocketChannel client) {
        try (PinnedSlice value = db.getPinned(key)) {
            if (value == null) {
                return CompletableFuture.completedFuture(0L);
            }
            SharedSlice shared = value.share(); // for any thread; takes the pin over, so that only this one is to be closed
            Sending sending = new Sending(client, shared, shared.segment().asByteBuffer(), new CompletableFuture<>());
            sending.write();
            return sending.sent;
        }
    }

    /** Closes the value when all of it is written, or when that has failed. */
    private record Sending(AsynchronousSocketChannel client, SharedSlice value, ByteBuffer bytes,
            CompletableFuture<Long> sent) implements CompletionHandler<Integer, Void> {
        void write() {
            try {
                client.write(bytes, null, this);
            } catch (RuntimeException e) {
                failed(e, null);
            }
        }

        @Override
        public void completed(Integer written, Void attachment) {
            if (bytes.hasRemaining()) {
                write();
            } else {
                value.close();
                sent.complete(value.size());
            }
        }

        @Override
        public void failed(Throwable e, Void attachment) {
            value.close();
            sent.completeExceptionally(e);
        }
    }
    // end::asynchronous[]

    private static byte[] receive(SocketAddress server) throws IOException {
        InetSocketAddress address = (InetSocketAddress) server;
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.getInputStream().readAllBytes();
        }
    }
}
