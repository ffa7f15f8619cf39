package examples;

import static examples.Example.check;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RetryOptions;
import dev.outcrop.rocksdb.Transaction;
import dev.outcrop.rocksdb.TransactionDB;
import dev.outcrop.rocksdb.TransactionOptions;
import dev.outcrop.rocksdb.WriteOptions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that move money between the same accounts: transfers that meet are tried again, and no money gets lost. */
public final class Transactions {
    private static final int ACCOUNTS = 5;
    private static final int TRANSFERS = 2_000;
    private static final AtomicInteger ATTEMPTS = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        try (TransactionDB db = TransactionDB.open(Example.directory(), new Options().createIfMissing(true))) {
            for (int i = 0; i < ACCOUNTS; i++) {
                db.put(account(i), amount(1_000));
            }
            List<Future<Boolean>> transfers = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                for (int i = 0; i < TRANSFERS; i++) {
                    transfers.add(threads.submit(() -> {
                        int from = ThreadLocalRandom.current().nextInt(ACCOUNTS);
                        int to = (from + 1 + ThreadLocalRandom.current().nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                        return transfer(db, account(from), account(to), 100);
                    }));
                }
            }
            int done = 0;
            for (Future<Boolean> transfer : transfers) {
                done += transfer.get() ? 1 : 0;
            }
            IO.println(done + " of " + TRANSFERS + " transfers done in " + ATTEMPTS
                    + " attempts; the others had too little");

            long total = db.transact(transaction -> {
                long sum = 0;
                for (int i = 0; i < ACCOUNTS; i++) {
                    sum += balance(transaction, account(i));
                }
                return sum;
            });
            check(total == ACCOUNTS * 1_000L, "the accounts hold together what they held before");
        }
    }

    // tag::transfer[]
    /** Without it, two transfers that wait for each other's account wait until the lock time-out. */
    private static final TransactionOptions LOCKING = new TransactionOptions().deadlockDetect(true);

    static boolean transfer(TransactionDB db, byte[] from, byte[] to, long amount) {
        return db.transact(RetryOptions.DEFAULT, new WriteOptions(), LOCKING, transaction -> {
            ATTEMPTS.incrementAndGet(); // the work may be done several times: it should change only the transaction
            long left = balance(transaction, from) - amount;
            if (left < 0) {
                return false;
            }
            transaction.put(from, amount(left));
            transaction.put(to, amount(balance(transaction, to) + amount));
            return true; // is committed
        });
    }

    private static long balance(Transaction transaction, byte[] account) {
        byte[] value = transaction.getForUpdate(account); // locks the account until the transaction ends
        return ByteBuffer.wrap(Objects.requireNonNull(value, "no such account")).getLong();
    }
    // end::transfer[]

    private static byte[] account(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static byte[] amount(long amount) {
        return ByteBuffer.allocate(Long.BYTES).putLong(amount).array();
    }
}
