import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.JdbcStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Commands that are no statements, and KILL. */
final class Commands {
    /** Sleeping in WHERE, and not in the select list, makes KILL an error with MariaDB and MySQL alike. */
    private static final String SLEEP = "SELECT n FROM clients.numbers WHERE SLEEP(20) = 0";

    private Commands() {}

    static void add(Checks checks) {
        checks.add("command.reset", Commands::reset);
        checks.add("command.init_db", Commands::initDb);
        checks.add("command.ping", Commands::ping);
        checks.add("session.track", Commands::track);
        checks.add("kill.query", Commands::killQuery);
        checks.add("kill.connection", Commands::killConnection);
        if (Driver.CURRENT == Driver.MARIADB) {
            checks.skip("the driver has no such command", "command.change_user", "command.set_option", "query.attributes");
        } else {
            checks.add("command.change_user", Commands::changeUser);
            checks.add("command.set_option", Commands::setOption);
            checks.add("query.attributes", Commands::attributes);
        }
    }

    private static void reset() throws Exception {
        if (Driver.CURRENT == Driver.MARIADB && Driver.onMySQL()) {
            throw new Checks.Skip("the driver resets connections to MariaDB only");
        }
        String option = Driver.CURRENT == Driver.MARIADB ? "useResetConnection=true" : "paranoid=false";
        try (Connection c = Driver.connect(option)) {
            Driver.execute(c, "SET @mine = 1", "CREATE TEMPORARY TABLE resetting (id INT)");
            if (Driver.CURRENT == Driver.MARIADB) {
                c.unwrap(org.mariadb.jdbc.Connection.class).reset();
            } else {
                c.unwrap(JdbcConnection.class).resetServerState();
            }
            Checks.equal(Driver.value(c, "SELECT CONCAT(DATABASE(), ' ', @mine IS NULL)"), Driver.env("DATABASE") + " 1");
            Checks.wants(1146, "42S02", () -> Driver.value(c, "SELECT * FROM resetting"));
        }
    }

    private static void changeUser() throws Exception {
        String user = Driver.env("ACCOUNT") + (Driver.onMySQL() ? "_sha2" : "_native");
        try (Connection c = Driver.connect()) {
            Driver.execute(c, "SET @mine = 1", "CREATE TEMPORARY TABLE changing (id INT)");
            c.unwrap(JdbcConnection.class).changeUser(user, Driver.env("ACCOUNT_PASSWORD"));
            Checks.equal(Driver.value(c, "SELECT CONCAT(CURRENT_USER(), ' ', @mine IS NULL)"), user + "@% 1");
            Checks.wants(1146, "42S02", () -> Driver.value(c, "SELECT * FROM " + Driver.env("DATABASE") + ".changing"));
        }
    }

    private static void initDb() throws Exception {
        try (Connection c = Driver.connect()) {
            c.setCatalog("test");
            Checks.equal(Driver.value(c, "SELECT DATABASE()"), "test");
            Checks.wants(1049, "42000", () -> c.setCatalog("no_such_database"));
            Checks.equal(Driver.value(c, "SELECT DATABASE()"), "test");
        }
    }

    private static void ping() throws SQLException {
        try (Connection c = Driver.connect()) {
            Checks.equal(c.isValid(5), true);
        }
    }

    /** MySQL's driver turns multi-statements on for such a batch, and off after it. */
    private static void setOption() throws Exception {
        try (Connection c = Driver.connect("rewriteBatchedStatements=true")) {
            Driver.execute(c, "CREATE TABLE set_option (id INT PRIMARY KEY, v INT)", "INSERT INTO set_option VALUES (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)");
            try (PreparedStatement update = c.prepareStatement("UPDATE set_option SET v = ? WHERE id = ?")) {
                for (int id = 1; id <= 5; id++) {
                    update.setInt(1, id * 10);
                    update.setInt(2, id);
                    update.addBatch();
                }
                Checks.equal(update.executeBatch().length, 5);
            }
            Checks.equal(Driver.value(c, "SELECT SUM(v) FROM set_option"), "150");
            Checks.wants(1064, "42000", () -> Driver.execute(c, "DO 1; DO 2"));
        }
    }

    private static void track() throws SQLException {
        try (Connection c = Driver.connect(Driver.CURRENT == Driver.MYSQL ? "trackSessionState=true" : "cachePrepStmts=true")) {
            Driver.execute(c, "USE test");
            if (Driver.CURRENT == Driver.MARIADB) {
                Checks.equal(c.getCatalog(), "test");
                return;
            }
            // Type 1 is SESSION_TRACK_SCHEMA.
            String changed = c.unwrap(JdbcConnection.class).getServerSessionStateController().getSessionStateChanges()
                    .getSessionStateChangesList().stream().filter(change -> change.getType() == 1)
                    .map(change -> change.getValues().get(0)).findFirst().orElse("none");
            Checks.equal(changed, "test");
        }
    }

    private static void attributes() throws SQLException {
        if (!Driver.onMySQL()) {
            throw new Checks.Skip("MariaDB has no query attributes");
        }
        String sql = "SELECT mysql_query_attribute_string('colour')";
        try (Connection c = Driver.connect(Driver.PREPARED); Statement text = c.createStatement();
                PreparedStatement prepared = c.prepareStatement(sql)) {
            text.unwrap(JdbcStatement.class).setAttribute("colour", "blue");
            try (ResultSet rows = text.executeQuery(sql)) {
                rows.next();
                Checks.equal(rows.getString(1), "blue");
            }
            prepared.unwrap(JdbcStatement.class).setAttribute("colour", "green");
            try (ResultSet rows = prepared.executeQuery()) {
                rows.next();
                Checks.equal(rows.getString(1), "green");
            }
        }
    }

    /** Runs SLEEP on one and returns when the server shows it running; its end is the error it had. */
    private static CompletableFuture<SQLException> sleeping(Statement one, String id, Connection two) throws Exception {
        CompletableFuture<SQLException> ended = CompletableFuture.supplyAsync(() -> {
            try {
                one.executeQuery(SLEEP).close();
                return null;
            } catch (SQLException error) {
                return error;
            }
        });
        while (Driver.value(two, "SELECT COUNT(*) FROM performance_schema.threads WHERE processlist_id = " + id
                + " AND processlist_state = 'User sleep'").equals("0")) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return ended;
    }

    /** Statement.cancel() is a KILL QUERY from a connection that the driver opens for it. */
    private static void killQuery() throws Exception {
        try (Connection one = Driver.connect(); Connection two = Driver.connect(); Statement s = one.createStatement()) {
            CompletableFuture<SQLException> ended = sleeping(s, Driver.value(one, "SELECT CONNECTION_ID()"), two);
            s.cancel();
            SQLException error = ended.get(15, TimeUnit.SECONDS);
            Checks.equal(error != null, true);
            // MySQL's driver replaces the server's error by one of its own.
            if (Driver.CURRENT == Driver.MARIADB) {
                Checks.equal(error.getErrorCode() + " " + error.getSQLState(), "1317 70100");
            }
            Checks.equal(Driver.value(one, "SELECT 1"), "1");
        }
    }

    private static void killConnection() throws Exception {
        try (Connection one = Driver.connect(); Connection two = Driver.connect(); Statement s = one.createStatement()) {
            String id = Driver.value(one, "SELECT CONNECTION_ID()");
            CompletableFuture<SQLException> ended = sleeping(s, id, two);
            Driver.execute(two, "KILL " + id);
            Checks.equal(ended.get(15, TimeUnit.SECONDS) != null, true);
            Checks.equal(one.isValid(5), false);
            Checks.equal(Driver.value(two, "SELECT 1"), "1");
        }
    }
}
