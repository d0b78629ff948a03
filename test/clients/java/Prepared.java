import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

/** Prepared statements. */
final class Prepared {
    private Prepared() {}

    static void add(Checks checks) {
        checks.add("prepared.repeat", Prepared::repeat);
        checks.add("prepared.retype", Prepared::retype);
        checks.add("prepared.null", Prepared::nulls);
        checks.add("prepared.many", Prepared::many);
        checks.add("prepared.long_data", Prepared::longData);
        checks.add("prepared.bulk", Prepared::bulk);
    }

    private static void repeat() throws SQLException {
        try (Connection c = Driver.connect(Driver.PREPARED)) {
            Driver.execute(c, "CREATE TABLE prepared_repeat (id INT PRIMARY KEY, v VARCHAR(20))");
            try (PreparedStatement insert = c.prepareStatement("INSERT INTO prepared_repeat VALUES (?, ?)")) {
                for (int n = 0; n < 300; n++) {
                    insert.setInt(1, n);
                    insert.setString(2, "v" + n);
                    Checks.equal(insert.executeUpdate(), 1);
                }
            }
            Checks.equal(Driver.value(c, "SELECT CONCAT(COUNT(*), ' ', SUM(id), ' ', MAX(IF(id = 299, v, ''))) FROM prepared_repeat"),
                    "300 44850 v299");
        }
    }

    private static void retype() throws SQLException {
        Object[][] pairs = {{-7L, "-7"}, {"text", "text"}, {null, null}, {1.5, "1.5"},
            {"bytes".getBytes(StandardCharsets.UTF_8), "bytes"}, {new BigDecimal("12.340"), "12.340"}, {7, "7"}};
        try (Connection c = Driver.connect(Driver.PREPARED); PreparedStatement echo = c.prepareStatement("SELECT CONCAT(?, '')")) {
            for (Object[] pair : pairs) {
                if (pair[0] == null) {
                    echo.setNull(1, Types.VARCHAR);
                } else {
                    echo.setObject(1, pair[0]);
                }
                try (ResultSet rows = echo.executeQuery()) {
                    rows.next();
                    byte[] got = rows.getBytes(1);
                    Checks.equal(got == null ? null : new String(got, StandardCharsets.UTF_8), pair[1]);
                }
            }
        }
    }

    private static void nulls() throws SQLException {
        try (Connection c = Driver.connect(Driver.PREPARED)) {
            Driver.execute(c, "CREATE TABLE prepared_null (id INT PRIMARY KEY, v VARCHAR(9), n INT)");
            String[] values = {null, "", "x"};
            try (PreparedStatement insert = c.prepareStatement("INSERT INTO prepared_null VALUES (?, ?, ?)");
                    PreparedStatement select = c.prepareStatement("SELECT v, n FROM prepared_null WHERE id = ?")) {
                for (int id = 0; id < values.length; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, values[id]);
                    insert.setNull(3, Types.INTEGER);
                    insert.executeUpdate();
                    select.setInt(1, id);
                    try (ResultSet rows = select.executeQuery()) {
                        rows.next();
                        Checks.equal(rows.getString(1), values[id]);
                        Checks.equal(rows.getInt(2) == 0 && rows.wasNull(), true);
                    }
                }
            }
        }
    }

    private static void many() throws SQLException {
        try (Connection c = Driver.connect(Driver.PREPARED)) {
            List<PreparedStatement> open = new ArrayList<>();
            for (int n = 0; n < 200; n++) {
                open.add(c.prepareStatement("SELECT " + n + " + ?"));
            }
            for (int n = 0; n < open.size(); n++) {
                open.get(n).setInt(1, 1000);
                try (ResultSet rows = open.get(n).executeQuery()) {
                    rows.next();
                    Checks.equal(rows.getInt(1), 1000 + n);
                }
                open.get(n).close();
            }
        }
    }

    private static void longData() throws SQLException {
        byte[] blob = Sizes.noise(300_000);
        String text = "\u00e9".repeat(100_000);
        try (Connection c = Driver.connect(Driver.PREPARED, "useReadAheadInput=false")) {
            Driver.execute(c, "CREATE TABLE long_data (id INT, a LONGBLOB, b LONGTEXT, c INT)");
            try (PreparedStatement insert = c.prepareStatement("INSERT INTO long_data VALUES (?, ?, ?, ?)")) {
                insert.setInt(1, 0);
                insert.setBinaryStream(2, new ByteArrayInputStream(blob));
                insert.setCharacterStream(3, new StringReader(text));
                insert.setInt(4, 5);
                insert.executeUpdate();
                // What the first execution sent in pieces must not stay.
                insert.setInt(1, 1);
                insert.setBytes(2, new byte[] {1, 2});
                insert.setString(3, "short");
                insert.executeUpdate();
            }
            String query = "SELECT CONCAT(LENGTH(a), ' ', SHA2(a, 256), ' ', CHAR_LENGTH(b), ' ', c) FROM long_data WHERE id = ?";
            Checks.equal(Driver.value(c, query, 0), "300000 " + Sizes.sha256(blob) + " 100000 5");
            Checks.equal(Driver.value(c, query, 1), "2 " + Sizes.sha256(new byte[] {1, 2}) + " 5 5");
        }
    }

    /** MariaDB's driver sends one bulk execution, MySQL's rewrites the batch to one INSERT of many rows. */
    private static void bulk() throws SQLException {
        try (Connection c = Driver.connect(Driver.PREPARED, Driver.CURRENT == Driver.MARIADB ? "useBulkStmts=true" : "rewriteBatchedStatements=true")) {
            Driver.execute(c, "CREATE TABLE prepared_bulk (id INT PRIMARY KEY, v VARCHAR(20))");
            try (PreparedStatement insert = c.prepareStatement("INSERT INTO prepared_bulk VALUES (?, ?)")) {
                for (int n = 0; n < 1000; n++) {
                    insert.setInt(1, n);
                    insert.setString(2, n % 10 == 0 ? null : "v" + n);
                    insert.addBatch();
                }
                Checks.equal(insert.executeBatch().length, 1000);
            }
            Checks.equal(Driver.value(c, "SELECT CONCAT(COUNT(*), ' ', SUM(id), ' ', SUM(v IS NULL)) FROM prepared_bulk"), "1000 499500 100");
        }
    }
}
