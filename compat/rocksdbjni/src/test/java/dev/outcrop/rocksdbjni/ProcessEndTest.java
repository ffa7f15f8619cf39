package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** A process ends while RocksDB's threads call Java for a database that is still open. */
@Tag("verify")
class ProcessEndTest extends DatabaseTest {

    /** Writes so much that a flush is always running, and ends in the middle. */
    static final class LeaveOpen {
        static void main(String[] arguments) throws Exception {
            RocksDB.loadLibrary();
            CountDownLatch flushing = new CountDownLatch(3);
            Options options = new Options().setCreateIfMissing(true).setWriteBufferSize(1 << 16);
            if (arguments[2].equals("listener")) {
                options.setListeners(List.of(new AbstractEventListener() {
                    @Override
                    public void onFlushBegin(RocksDB db, FlushJobInfo info) {
                        flushing.countDown();
                        LockSupport.parkNanos(20_000_000);
                    }
                }));
            } else {
                options.setLogger(new Logger(InfoLogLevel.INFO_LEVEL) {
                    @Override
                    protected void log(InfoLogLevel level, String message) {
                        if (message.contains("flush_started")) {
                            flushing.countDown();
                        }
                        LockSupport.parkNanos(1_000_000);
                    }
                });
            }
            RocksDB db = RocksDB.open(options, arguments[0]);
            for (int i = 0; i < 3000 || flushing.getCount() > 0; i++) {
                db.put(("key" + i).getBytes(UTF_8), new byte[1000]);
            }
            System.out.println("ending");
            if (arguments[1].equals("exit")) {
                System.exit(3);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"exit,listener,false,3", "return,listener,false,0", "exit,listener,true,3", "return,listener,true,0",
            "exit,logger,true,3", "return,logger,true,0"})
    void theJvmEnds(String how, String called, boolean withHook, int exitCode)
            throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.shortLived().option("-Doutcrop.exit.hook=" + withHook).run(LeaveOpen.class,
                directory, how, called);
        assertThat(result.output()).contains("ending");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(exitCode);
    }
}
