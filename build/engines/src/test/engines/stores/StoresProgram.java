import java.nio.file.Path;

/**
 * Fills the stores of engines, opens them again, and prints what they hold. Arguments: a directory, and then the engines; of an engine that
 * is there already, it prints only what it holds.
 */
public class StoresProgram {

    /** Prints a line for the test. */
    static void tell(String line) {
        System.out.println("> " + line);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i < args.length; i++) {
            Path directory = Path.of(args[0], args[i]);
            tell(args[i]);
            switch (args[i]) {
                case "bookkeeper" -> BookKeeperStore.run(directory);
                case "bookkeeper-options" -> BookKeeperStore.runWithOptions(directory, Path.of(args[0], "bookkeeper"));
                case "infinispan" -> InfinispanStore.run(directory);
                case "jraft" -> JRaftLog.run(directory);
                case "rocketmq" -> RocketMqStore.run(directory);
                case "samza" -> SamzaStore.run(directory);
                case "storm" -> StormStore.run(directory);
                case "zeebe" -> ZeebeDatabase.run(directory);
                default -> throw new IllegalArgumentException(args[i]);
            }
        }
        System.exit(0);
    }
}
