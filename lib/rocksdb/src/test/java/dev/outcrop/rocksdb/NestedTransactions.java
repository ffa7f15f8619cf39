package dev.outcrop.rocksdb;

import static dev.outcrop.rocksdb.NestedWorld.KEY;
import static dev.outcrop.rocksdb.NestedWorld.MERGED;
import static dev.outcrop.rocksdb.NestedWorld.VALUE;
import static dev.outcrop.rocksdb.NestedWorld.expect;

import java.util.List;

/** The calls of transactions, to be made from inside callbacks. */
final class NestedTransactions {
    private NestedTransactions() {
    }

    private static Transaction begin(NestedWorld world) {
        return world.db() instanceof TransactionDB db ? db.begin() : ((OptimisticTransactionDB) world.db()).begin();
    }

    /** One with some changes. */
    private static Transaction begun(NestedWorld world) {
        Transaction transaction = world.later(begin(world));
        transaction.put(world.newKey(), VALUE);
        transaction.put(world.newKey(), VALUE);
        return transaction;
    }

    static void add(NestedCall.All all) {
        all.plain("begin, close", world -> begin(world).close());
        all.add("transaction: put", world -> {
            Transaction transaction = world.later(begin(world));
            return () -> transaction.put(world.newKey(), VALUE);
        });
        all.add("transaction: second put", world -> {
            Transaction transaction = world.later(begin(world));
            transaction.put(world.newKey(), VALUE);
            return () -> transaction.put(world.newKey(), VALUE);
        });
        all.add("transaction: merge", world -> {
            Transaction transaction = world.later(begin(world));
            transaction.put(world.newKey(), VALUE);
            return () -> transaction.merge(world.newKey(), VALUE);
        });
        all.add("transaction: get", world -> {
            Transaction transaction = world.later(begin(world));
            transaction.put(world.newKey(), VALUE);
            return () -> expect(transaction.get(KEY));
        });
        all.add("transaction: get merged", world -> {
            world.merge(world.writer());
            Transaction transaction = world.later(begin(world));
            if (world.variant == NestedWorld.Variant.OPTIMISTIC) {
                // Otherwise it would have the key locked.
                transaction.merge(MERGED, VALUE);
            }
            return () -> NestedCall.expectMerged(world, transaction.get(MERGED));
        });
        all.add("transaction: getForUpdate", world -> {
            Transaction transaction = world.later(begin(world));
            byte[] key = world.newKey();
            world.writer().put(key, VALUE);
            return () -> expect(transaction.getForUpdate(key));
        });
        all.add("transaction: multiGet", world -> {
            Transaction transaction = world.later(begin(world));
            transaction.put(world.newKey(), VALUE);
            return () -> transaction.multiGet(List.of(KEY, Bytes.of("r1"))).forEach(NestedWorld::expect);
        });
        all.add("transaction: iterator", world -> {
            Transaction transaction = begunBeside(world);
            return () -> {
                try (KeyValueIterator iterator = transaction.iterator()) {
                    expect(iterator.seek(KEY) && iterator.next(), "there are entries");
                }
            };
        });
        all.add("transaction: iterator.next", world -> {
            KeyValueIterator iterator = world.later(begunBeside(world).iterator());
            expect(iterator.seek(KEY), "there is an entry");
            return () -> expect(iterator.next(), "there are entries");
        });
        all.add("transaction: roll back to save point", world -> {
            Transaction transaction = begunBeside(world);
            transaction.setSavePoint();
            transaction.put(world.newKey(), VALUE);
            return transaction::rollbackToSavePoint;
        });
        all.add("transaction: setName", world -> {
            Transaction transaction = begunBeside(world);
            String name = world.newPath().toString();
            return () -> transaction.setName(name);
        });
        all.add("transaction: changes", world -> {
            Transaction transaction = begunBeside(world);
            return () -> expect(transaction.changes().count() == 1, "there is one change");
        });
        all.add("transaction: commit", world -> begun(world)::commit);
        all.add("transaction: rollback", world -> begunBeside(world)::rollback);
        all.add("transaction: close", world -> begunBeside(world)::close);
        all.add("transaction: prepare, commit", world -> {
            Transaction transaction = begunBeside(world);
            if (world.db() instanceof OptimisticTransactionDB) {
                return () -> {
                };
            }
            transaction.setName(world.newPath().toString());
            return () -> {
                transaction.prepare();
                transaction.commit();
            };
        });
    }

    /** One with changes of its own keys, so that it can be beside others. */
    private static Transaction begunBeside(NestedWorld world) {
        Transaction transaction = world.later(begin(world));
        transaction.put(world.newKey(), VALUE);
        return transaction;
    }
}
