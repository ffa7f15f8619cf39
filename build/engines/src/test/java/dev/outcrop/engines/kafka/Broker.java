package dev.outcrop.engines.kafka;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * A Kafka of one node, on two ports that were free. It prints {@code listening}, a space and its address as soon as it serves, and ends
 * when its input does.
 *
 * <p>Argument: an empty directory for its data.
 */
final class Broker {
    private Broker() {
    }

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Files.createDirectories(directory);
        int[] ports = freePorts();
        String address = "127.0.0.1:" + ports[0];
        Map<String, String> settings = settings(directory, address, "127.0.0.1:" + ports[1]);
        Path file = directory.resolve("server.properties");
        Files.writeString(file, settings.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n")));
        int formatted = StorageTool.execute(new String[]{"format", "--cluster-id", Uuid.randomUuid().toString(),
                "--config", file.toString()}, new PrintStream(System.err, true));
        if (formatted != 0) {
            throw new IOException("the directory cannot be formatted: " + formatted);
        }
        new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM).startup();
        System.out.println("listening " + address);
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static int[] freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new int[]{one.getLocalPort(), other.getLocalPort()};
        }
    }

    private static Map<String, String> settings(Path directory, String address, String controller) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@" + controller);
        settings.put("listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller);
        settings.put("advertised.listeners", "PLAINTEXT://" + address);
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("log.dirs", directory.resolve("logs").toString());
        // One node has one copy of everything.
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("offsets.topic.num.partitions", "2");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("transaction.state.log.num.partitions", "2");
        settings.put("share.coordinator.state.topic.replication.factor", "1");
        settings.put("share.coordinator.state.topic.min.isr", "1");
        // A test waits for these otherwise.
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
        settings.put("log.cleaner.enable", "false");
        return settings;
    }
}
