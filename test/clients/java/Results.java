import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Errors and results. */
final class Results {
    private Results() {}

    static void add(Checks checks) {
        checks.add("error.text", () -> errors("error_text"));
        checks.add("error.prepared", () -> errors("error_prepared", Driver.PREPARED));
        checks.add("result.affected_rows", () -> affected("affected", 1));
        checks.add("result.found_rows", () -> affected("found", 3, "useAffectedRows=false"));
        checks.add("result.last_insert_id", Results::lastInsertId);
        checks.add("result.warnings", Results::warnings);
        checks.add("result.metadata", Results::metadata);
        checks.add("multi.statements", Results::multiStatements);
        checks.add("multi.results", Results::multiResults);
        checks.add("multi.out_params", Results::outParams);
    }

    private static void errors(String table, String... options) throws Exception {
        try (Connection c = Driver.connect(options)) {
            Driver.execute(c, "CREATE TABLE " + table + " (id INT PRIMARY KEY)");
            try (PreparedStatement insert = c.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
                insert.setInt(1, 1);
                insert.execute();
                Checks.wants(1062, "23000", insert::execute);
                Checks.wants(1064, "42000", () -> prepareAndRun(c, "SELEKT ?"));
                Checks.wants(1146, "42S02", () -> prepareAndRun(c, "SELECT ? FROM no_such_table"));
                insert.setInt(1, 2);
                Checks.equal(insert.executeUpdate(), 1);
            }
        }
    }

    private static void prepareAndRun(Connection c, String sql) throws SQLException {
        try (PreparedStatement statement = c.prepareStatement(sql)) {
            statement.setInt(1, 1);
            statement.execute();
        }
    }

    /** Three rows inserted; the UPDATE matches three and changes one. */
    private static void affected(String table, int updated, String... options) throws SQLException {
        try (Connection c = Driver.connect(options); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY, v INT)");
            Checks.equal(s.executeUpdate("INSERT INTO " + table + " VALUES (1, 0), (2, 7), (3, 7)"), 3);
            Checks.equal(s.executeUpdate("UPDATE " + table + " SET v = 7"), updated);
            Checks.equal(s.executeUpdate("DELETE FROM " + table + " WHERE id > 1"), 2);
        }
    }

    private static void lastInsertId() throws SQLException {
        try (Connection c = Driver.connect(); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE inserts (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT) AUTO_INCREMENT = 4000000000");
            for (String insert : List.of("(1)=4000000000", "(2), (3), (4)=4000000001", "(5)=4000000004")) {
                s.executeUpdate("INSERT INTO inserts (v) VALUES " + insert.split("=")[0], Statement.RETURN_GENERATED_KEYS);
                try (ResultSet keys = s.getGeneratedKeys()) {
                    keys.next();
                    Checks.equal(keys.getString(1), insert.split("=")[1]);
                }
            }
        }
    }

    private static void warnings() throws SQLException {
        try (Connection c = Driver.connect("jdbcCompliantTruncation=false"); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE warned (v TINYINT)");
            s.execute("SET sql_mode = ''");
            s.executeUpdate("INSERT INTO warned VALUES (300), (1), (-300)");
            List<Integer> codes = new ArrayList<>();
            for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) {
                codes.add(w.getErrorCode());
            }
            Checks.equal(codes, List.of(1264, 1264));
        }
    }

    private static void metadata() throws SQLException {
        try (Connection c = Driver.connect(); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE described (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(30), price DECIMAL(12,4))");
            try (ResultSet rows = s.executeQuery("SELECT id, name AS `an alias`, price FROM described")) {
                ResultSetMetaData m = rows.getMetaData();
                List<String> got = new ArrayList<>();
                for (int i = 1; i <= m.getColumnCount(); i++) {
                    got.add(m.getColumnLabel(i) + " " + m.getColumnName(i) + " " + m.getTableName(i) + " " + m.getColumnType(i)
                            + " " + m.getPrecision(i) + " " + m.getScale(i) + " " + m.isNullable(i) + " " + m.isSigned(i));
                }
                Checks.equal(got.get(0).replaceFirst(" \\d+ 0 0 false$", ""), "id id described " + Types.BIGINT);
                Checks.equal(got.get(1).replaceFirst(" (true|false)$", ""), "an alias name described " + Types.VARCHAR + " 30 0 1");
                Checks.equal(got.get(2), "price price described " + Types.DECIMAL + " 12 4 1 true");
            }
        }
    }

    /** Every result of a statement: the first row of a result set, or the affected rows. */
    private static List<String> all(Statement s, boolean rowsFirst) throws SQLException {
        List<String> got = new ArrayList<>();
        for (boolean isRows = rowsFirst; isRows || s.getUpdateCount() != -1; isRows = s.getMoreResults()) {
            if (!isRows) {
                got.add(s.getUpdateCount() + " affected");
                continue;
            }
            try (ResultSet rows = s.getResultSet()) {
                rows.next();
                got.add(rows.getString(rows.getMetaData().getColumnCount()));
            }
        }
        return got;
    }

    private static void multiStatements() throws Exception {
        try (Connection c = Driver.connect("allowMultiQueries=true"); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE multi (id INT PRIMARY KEY)");
            boolean rows = s.execute("SELECT 1; INSERT INTO multi VALUES (1), (2); SELECT COUNT(*) FROM multi; SELECT 'last'");
            Checks.equal(all(s, rows), List.of("1", "2 affected", "2", "last"));
            Checks.wants(1062, "23000", () -> all(s,
                    s.execute("INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (4)")));
            Checks.equal(Driver.value(c, "SELECT GROUP_CONCAT(id ORDER BY id) FROM multi"), "1,2,3");
        }
    }

    private static void multiResults() throws SQLException {
        try (Connection c = Driver.connect(Driver.PREPARED)) {
            Driver.execute(c, "CREATE PROCEDURE two_results(n INT) BEGIN SELECT n; SELECT n + 1, 'two'; END");
            try (Statement text = c.createStatement()) {
                Checks.equal(all(text, text.execute("CALL two_results(7)")).subList(0, 2), List.of("7", "two"));
            }
            try (PreparedStatement prepared = c.prepareStatement("CALL two_results(?)")) {
                prepared.setInt(1, 7);
                Checks.equal(all(prepared, prepared.execute()).subList(0, 2), List.of("7", "two"));
            }
            Checks.equal(Driver.value(c, "SELECT 1"), "1");
        }
    }

    private static void outParams() throws SQLException {
        try (Connection c = Driver.connect(Driver.PREPARED)) {
            Driver.execute(c, "CREATE PROCEDURE out_params(IN a INT, OUT b VARCHAR(20), INOUT c INT) "
                    + "BEGIN SET b = CONCAT('b', a), c = c + a; END");
            try (CallableStatement call = c.prepareCall("{CALL out_params(?, ?, ?)}")) {
                call.setInt(1, 2);
                call.registerOutParameter(2, Types.VARCHAR);
                call.setInt(3, 40);
                call.registerOutParameter(3, Types.INTEGER);
                call.execute();
                Checks.equal(call.getString(2) + " " + call.getInt(3), "b2 42");
            }
        }
    }
}
