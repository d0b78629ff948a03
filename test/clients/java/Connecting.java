import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Getting in, with and without TLS, and with every authentication plug-in. */
final class Connecting {
    private Connecting() {}

    static void add(Checks checks) {
        checks.add("connect.plain", () -> selectOne());
        checks.add("connect.tls", () -> selectOne(Driver.tls()));
        checks.add("connect.tls_untrusted", Connecting::untrusted);
        checks.add("connect.attributes", Connecting::attributes);
        checks.add("connect.wrong_password", () -> Checks.wants(1045, "28000",
                () -> Driver.login(Driver.env("USER"), "wrong", Driver.env("DATABASE")).close()));
        checks.add("connect.unknown_database", () -> Checks.wants(1049, "42000",
                () -> Driver.login(Driver.env("USER"), Driver.env("PASSWORD"), "no_such_database").close()));
        checks.add("connect.zlib", Connecting::compressed);
        checks.add("connect.parallel", Connecting::parallel);
        addLogins(checks);
    }

    private static void addLogins(Checks checks) {
        checks.add("login.empty_password", () ->
                Driver.login(Driver.env("ACCOUNT") + "_empty", "", Driver.env("DATABASE")).close());
        checks.add("login.native", () -> login("native", "mariadb"));
        if (Driver.CURRENT == Driver.MARIADB) {
            checks.add("login.ed25519", () -> login("ed25519", "mariadb"));
            checks.skip("the driver has no sha256_password", "login.sha256_tls", "login.sha256_rsa");
        } else {
            checks.skip("the driver has no client_ed25519", "login.ed25519");
            checks.add("login.sha256_tls", () -> login("sha256", "mysql", Driver.tls()));
            checks.add("login.sha256_rsa", () -> login("sha256", "mysql"));
        }
        checks.add("login.sha2_tls", () -> login("sha2", "mysql", Driver.tls()));
        checks.add("login.sha2_cached", () -> login("sha2", "mysql"));
        checks.add("login.sha2_rsa", () -> login("sha2_rsa", "mysql"));
        checks.add("login.refused", Connecting::refused);
    }

    private static void selectOne(String... options) throws SQLException {
        try (Connection c = Driver.connect(options)) {
            Checks.equal(Driver.value(c, "SELECT 1"), "1");
        }
    }

    private static void untrusted() throws Exception {
        try {
            selectOne(Driver.tls(Driver.env("OTHER_CA")));
        } catch (SQLException error) {
            // MariaDB's driver says it in words, MySQL's by the cause of the cause.
            String causes = Stream.iterate((Throwable) error, e -> e != null, Throwable::getCause)
                    .map(Throwable::toString).collect(Collectors.joining(" "));
            Checks.equal(causes.toLowerCase().contains("certificat"), true);
            return;
        }
        throw new AssertionError("a certificate of an unknown authority was accepted");
    }

    private static void attributes() throws SQLException {
        try (Connection c = Driver.connect("connectionAttributes=shoe_size:42")) {
            Checks.equal(Driver.value(c, """
                    SELECT attr_value FROM performance_schema.session_account_connect_attrs
                    WHERE processlist_id = CONNECTION_ID() AND attr_name = 'shoe_size'"""), "42");
        }
    }

    private static void compressed() throws SQLException {
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);
        try (Connection c = Driver.connect("useCompression=true", Driver.PREPARED)) {
            Checks.equal(Driver.value(c, "SELECT REPEAT('a', 1000000)"), "a".repeat(1_000_000));
            Checks.equal(Driver.value(c, "SELECT LENGTH(?)", "a".repeat(1_000_000)), "1000000");
            Checks.equal(Driver.value(c, "SELECT SHA2(?, 256)", noise), Sizes.sha256(noise));
        }
    }

    private static void parallel() throws Exception {
        int sessions = 50;
        CyclicBarrier barrier = new CyclicBarrier(sessions);
        ExecutorService threads = Executors.newFixedThreadPool(sessions);
        List<Callable<String>> work = new ArrayList<>();
        for (int n = 0; n < sessions; n++) {
            int mine = n;
            work.add(() -> ownState(mine, barrier));
        }
        Set<String> ids = new HashSet<>();
        for (Future<String> id : threads.invokeAll(work, 60, TimeUnit.SECONDS)) {
            ids.add(id.get());
        }
        threads.shutdown();
        Checks.equal(ids.size(), sessions);
    }

    private static String ownState(int n, CyclicBarrier barrier) throws Exception {
        try (Connection c = Driver.connect()) {
            Driver.execute(c, "SET @mine = " + n + ", SESSION group_concat_max_len = " + (5000 + n));
            barrier.await(50, TimeUnit.SECONDS);
            for (int i = 0; i < 10; i++) {
                Checks.equal(Driver.value(c, "SELECT CONCAT(@mine, ' ', @@group_concat_max_len)"), n + " " + (5000 + n));
            }
            return Driver.value(c, "SELECT CONNECTION_ID()");
        }
    }

    private static void login(String plugin, String flavor, String... options) throws SQLException {
        if (!Driver.env("FLAVOR").equals(flavor)) {
            throw new Checks.Skip(Driver.env("FLAVOR") + " has no account of this plugin");
        }
        String user = Driver.env("ACCOUNT") + "_" + plugin;
        try (Connection c = Driver.login(user, Driver.env("ACCOUNT_PASSWORD"), Driver.env("DATABASE"), options)) {
            Checks.equal(Driver.value(c, "SELECT CURRENT_USER()"), user + "@%");
        }
    }

    private static void refused() throws Exception {
        List<String> plugins = Driver.onMySQL() ? List.of("sha2", "sha2_rsa", "empty") : List.of("native", "empty");
        for (String plugin : plugins) {
            Checks.wants(1045, "28000", () ->
                    Driver.login(Driver.env("ACCOUNT") + "_" + plugin, "wrong", Driver.env("DATABASE")).close());
        }
    }
}
