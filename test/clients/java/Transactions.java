import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/** Transactions. */
final class Transactions {
    private Transactions() {}

    static void add(Checks checks) {
        checks.add("tx.commit", Transactions::commit);
        checks.add("tx.rollback", Transactions::rollback);
        checks.add("tx.savepoint", Transactions::savepoint);
        checks.add("tx.isolation", Transactions::isolation);
    }

    private static void commit() throws SQLException {
        try (Connection one = Driver.connect(); Connection two = Driver.connect()) {
            Driver.execute(one, "CREATE TABLE tx_commit (id INT PRIMARY KEY)");
            one.setAutoCommit(false);
            Driver.execute(one, "INSERT INTO tx_commit VALUES (1)");
            Checks.equal(Driver.value(two, "SELECT COUNT(*) FROM tx_commit"), "0");
            one.commit();
            Checks.equal(Driver.value(two, "SELECT COUNT(*) FROM tx_commit"), "1");
        }
    }

    private static void rollback() throws SQLException {
        try (Connection c = Driver.connect()) {
            Driver.execute(c, "CREATE TABLE tx_rollback (id INT PRIMARY KEY)");
            c.setAutoCommit(false);
            Driver.execute(c, "INSERT INTO tx_rollback VALUES (1)");
            c.rollback();
            Checks.equal(Driver.value(c, "SELECT COUNT(*) FROM tx_rollback"), "0");
        }
    }

    private static void savepoint() throws SQLException {
        try (Connection c = Driver.connect()) {
            Driver.execute(c, "CREATE TABLE tx_savepoint (id INT PRIMARY KEY)");
            c.setAutoCommit(false);
            Driver.execute(c, "INSERT INTO tx_savepoint VALUES (1)");
            Savepoint here = c.setSavepoint("here");
            Driver.execute(c, "INSERT INTO tx_savepoint VALUES (2)");
            c.rollback(here);
            c.commit();
            Checks.equal(Driver.value(c, "SELECT SUM(id) FROM tx_savepoint"), "1");
        }
    }

    private static void isolation() throws SQLException {
        try (Connection one = Driver.connect(); Connection two = Driver.connect()) {
            Driver.execute(one, "CREATE TABLE tx_isolation (id INT PRIMARY KEY)");
            one.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            Checks.equal(seen(one, two, 0), 1);
            one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Checks.equal(seen(one, two, 1), 0);
            Checks.equal(one.getTransactionIsolation(), Connection.TRANSACTION_REPEATABLE_READ);
        }
    }

    /** How many of the rows that two commits does one see appear in its transaction? */
    private static int seen(Connection one, Connection two, int row) throws SQLException {
        one.setAutoCommit(false);
        int before = Integer.parseInt(Driver.value(one, "SELECT COUNT(*) FROM tx_isolation"));
        Driver.execute(two, "INSERT INTO tx_isolation VALUES (" + row + ")");
        int after = Integer.parseInt(Driver.value(one, "SELECT COUNT(*) FROM tx_isolation"));
        one.commit();
        one.setAutoCommit(true);
        return after - before;
    }
}
