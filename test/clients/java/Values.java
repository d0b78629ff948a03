import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Values of all types, and character sets. */
final class Values {
    private Values() {}

    static void add(Checks checks) {
        checks.add("types.text", () -> eachType("types_text", false));
        checks.add("types.binary", () -> eachType("types_binary", true, Driver.PREPARED));
        if (Driver.CURRENT == Driver.MARIADB) {
            checks.skip("the driver speaks utf8mb4 only", "charset.latin1", "charset.gbk");
        } else {
            checks.add("charset.latin1", () -> charset("latin1", "ISO-8859-1", "caf\u00e9", "636166C3A9"));
            checks.add("charset.gbk", () -> charset("gbk", "GBK", "\u7e17", "E7B897"));
        }
    }

    private record Sample(String column, String kind, String literal, String text) {
        void set(PreparedStatement statement, int index) throws SQLException {
            switch (kind) {
                case "int" -> statement.setLong(index, Long.parseLong(text));
                case "uint" -> statement.setBigDecimal(index, new BigDecimal(text));
                case "year" -> statement.setInt(index, Integer.parseInt(text));
                case "decimal" -> statement.setBigDecimal(index, new BigDecimal(text));
                case "float" -> statement.setDouble(index, Double.parseDouble(text));
                case "bytes" -> statement.setBytes(index, HexFormat.of().parseHex(text));
                default -> statement.setString(index, text);
            }
        }

        void check(ResultSet rows) throws SQLException {
            Object got = switch (kind) {
                case "int" -> String.valueOf(rows.getLong(1));
                case "uint" -> rows.getObject(1, BigInteger.class).toString();
                case "year" -> String.format("%04d", rows.getInt(1));
                case "decimal" -> rows.getBigDecimal(1).toPlainString();
                case "float" -> rows.getDouble(1) == Double.parseDouble(text) ? text : rows.getString(1);
                case "bytes" -> HexFormat.of().withUpperCase().formatHex(rows.getBytes(1));
                case "time", "datetime" -> withoutZeros(rows.getString(1));
                default -> rows.getString(1);
            };
            Checks.equal(column + " " + got, column + " " + (kind.endsWith("time") ? withoutZeros(text) : text));
        }
    }

    /** The drivers differ in the zeros that end a fraction of a second. */
    private static String withoutZeros(String text) {
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** The lines of types.tsv, grouped by column type. */
    private static Collection<List<Sample>> samples() throws Exception {
        Map<String, List<Sample>> groups = new LinkedHashMap<>();
        for (String line : Files.readAllLines(Path.of(Driver.env("TYPES")), StandardCharsets.UTF_8)) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] f = line.split("\t");
            groups.computeIfAbsent(f[0], column -> new ArrayList<>())
                    .add(new Sample(f[0], f[1], f[2], f[3].equals("(empty)") ? "" : f[3]));
        }
        return groups.values();
    }

    private static void eachType(String prefix, boolean binary, String... options) throws Exception {
        try (Connection c = Driver.connect(options)) {
            Driver.execute(c, "SET sql_mode = '', time_zone = '+00:00'");
            int n = 0;
            for (List<Sample> group : samples()) {
                if (binary && Driver.CURRENT == Driver.MARIADB) {
                    // In the binary protocol this driver does not decode a date that has a day and no month.
                    group.removeIf(sample -> sample.text.contains("-00-15"));
                }
                String table = prefix + "_" + n++;
                Driver.execute(c, "CREATE TABLE " + table + " (id INT PRIMARY KEY, v " + group.get(0).column + ")");
                if (binary) {
                    insertArguments(c, table, group);
                } else {
                    insertLiterals(c, table, group);
                }
                Driver.execute(c, "INSERT INTO " + table + " VALUES (999, NULL)");
                String query = "SELECT v FROM " + table + " WHERE id >= 0 ORDER BY id";
                try (PreparedStatement prepared = binary ? c.prepareStatement(query) : null;
                        Statement text = c.createStatement();
                        ResultSet rows = binary ? prepared.executeQuery() : text.executeQuery(query)) {
                    compare(rows, group);
                }
            }
        }
    }

    private static void insertLiterals(Connection c, String table, List<Sample> group) throws SQLException {
        for (int i = 0; i < group.size(); i++) {
            Driver.execute(c, "INSERT INTO " + table + " VALUES (" + i + ", " + group.get(i).literal + ")");
        }
    }

    private static void insertArguments(Connection c, String table, List<Sample> group) throws SQLException {
        try (PreparedStatement insert = c.prepareStatement("INSERT INTO " + table + " VALUES (?, ?)")) {
            for (int i = 0; i < group.size(); i++) {
                insert.setInt(1, i);
                group.get(i).set(insert, 2);
                insert.execute();
            }
        }
    }

    private static void compare(ResultSet rows, List<Sample> group) throws SQLException {
        for (Sample sample : group) {
            Checks.equal(rows.next(), true);
            sample.check(rows);
        }
        Checks.equal(rows.next(), true);
        Checks.equal(rows.getObject(1), null);
        Checks.equal(rows.wasNull(), true);
        Checks.equal(rows.next(), false);
    }

    private static void charset(String name, String javaName, String text, String stored) throws SQLException {
        try (Connection c = Driver.connect("characterEncoding=" + javaName)) {
            String table = "charset_" + name;
            Driver.execute(c, "CREATE TABLE " + table + " (v VARCHAR(10) CHARACTER SET utf8mb4)",
                    "INSERT INTO " + table + " VALUES ('" + text + "')");
            Checks.equal(Driver.value(c, "SELECT HEX(v) FROM " + table), stored);
            Checks.equal(Driver.value(c, "SELECT v FROM " + table + " WHERE v = ?", text), text);
            Checks.equal(Driver.value(c, "SELECT @@character_set_client"), name);
        }
    }
}
