import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Values larger than a packet of the protocol, many rows, and files. */
final class Sizes {
    /** One packet carries less than 16 MiB. */
    private static final int BIG_BYTES = 20 << 20;

    private static final String BIG_PACKETS = "maxAllowedPacket=" + (3 * BIG_BYTES);

    private Sizes() {}

    static void add(Checks checks) {
        checks.add("big.text", () -> big("big_text", BIG_PACKETS));
        checks.add("big.binary", () -> big("big_binary", Driver.PREPARED, BIG_PACKETS));
        checks.add("rows.stream", () -> stream("", 100_000));
        if (Driver.CURRENT == Driver.MARIADB) {
            checks.skip("the driver opens no server-side cursors", "rows.cursor");
        } else {
            checks.add("rows.cursor", () -> stream(" WHERE n < 10000", 10_000, "useCursorFetch=true"));
        }
        checks.add("rows.abandon", Sizes::abandon);
        checks.add("infile.load", Sizes::load);
        checks.add("infile.missing", Sizes::missing);
        checks.add("infile.refused", Sizes::refused);
    }

    static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void big(String table, String... options) throws SQLException {
        byte[] sent = noise(BIG_BYTES);
        try (Connection c = Driver.connect(options)) {
            Driver.execute(c, "CREATE TABLE " + table + " (id INT, v LONGBLOB)");
            try (PreparedStatement insert = c.prepareStatement("INSERT INTO " + table + " VALUES (1, ?)")) {
                insert.setBytes(1, sent);
                insert.executeUpdate();
            }
            Checks.equal(Driver.value(c, "SELECT SHA2(v, 256) FROM " + table), sha256(sent));
            try (PreparedStatement select = c.prepareStatement("SELECT v FROM " + table + " WHERE id = ?")) {
                select.setInt(1, 1);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    Checks.equal(Arrays.equals(rows.getBytes(1), sent), true);
                }
            }
        }
    }

    /** A fetch size makes MariaDB's driver stream; MySQL's wants the smallest number for it, or a cursor. */
    private static Statement streaming(Connection c, boolean cursor) throws SQLException {
        Statement s = c.createStatement();
        s.setFetchSize(Driver.CURRENT == Driver.MARIADB || cursor ? 500 : Integer.MIN_VALUE);
        return s;
    }

    private static void stream(String where, int want, String... options) throws SQLException {
        try (Connection c = Driver.connect(options); Statement s = streaming(c, options.length > 0);
                ResultSet rows = s.executeQuery("SELECT n, label FROM clients.numbers" + where + " ORDER BY n")) {
            long count = 0;
            long numbers = 0;
            while (rows.next()) {
                count++;
                numbers += rows.getInt(1);
                Checks.equal(rows.getString(2).startsWith("row " + rows.getInt(1) + "."), true);
            }
            Checks.equal(count + " " + numbers, want + " " + (want - 1L) * want / 2);
        }
    }

    private static void abandon() throws SQLException {
        try (Connection c = Driver.connect()) {
            try (Statement s = streaming(c, false); ResultSet rows = s.executeQuery("SELECT n, label FROM clients.numbers")) {
                for (int i = 0; i < 10; i++) {
                    rows.next();
                }
            }
            Checks.equal(Driver.value(c, "SELECT 1"), "1");
        }
    }

    private static String loadInto(String table, String file) {
        return "LOAD DATA LOCAL INFILE '" + Path.of(Driver.env("SCRATCH"), file) + "' INTO TABLE " + table
                + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY ','";
    }

    private static void load() throws Exception {
        String lines = IntStream.range(0, 10_000).mapToObj(n -> n + ",line \u00e9 " + n + "\n").collect(Collectors.joining());
        Files.write(Path.of(Driver.env("SCRATCH"), "lines"), lines.getBytes(StandardCharsets.UTF_8));
        try (Connection c = Driver.connect(Driver.CURRENT.infile); Statement s = c.createStatement()) {
            s.execute("CREATE TABLE infile_load (id INT PRIMARY KEY, v VARCHAR(40))");
            Checks.equal(s.executeUpdate(loadInto("infile_load", "lines")), 10_000);
            Checks.equal(Driver.value(c, "SELECT v FROM infile_load WHERE id = 9999"), "line \u00e9 9999");
        }
    }

    private static void missing() throws Exception {
        fails("infile_missing", "no-such-file", Driver.CURRENT.infile);
    }

    private static void refused() throws Exception {
        Files.write(Path.of(Driver.env("SCRATCH"), "refused"), new byte[] {'1', '\n'});
        fails("infile_refused", "refused", Driver.CURRENT.noInfile);
    }

    private static void fails(String table, String file, String option) throws SQLException {
        try (Connection c = Driver.connect(option)) {
            Driver.execute(c, "CREATE TABLE " + table + " (id INT)");
            try {
                Driver.execute(c, loadInto(table, file));
            } catch (SQLException expected) {
                Checks.equal(Driver.value(c, "SELECT COUNT(*) FROM " + table), "0");
                return;
            }
            throw new AssertionError("the file was loaded");
        }
    }
}
