import java.io.FileInputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** One of the two drivers, and how to reach the server with it. */
enum Driver {
    MARIADB("sslMode=disable", "allowLocalInfile=true", "allowLocalInfile=false"),
    MYSQL("sslMode=DISABLED&connectionTimeZone=UTC&preserveInstants=false", "allowLoadLocalInfile=true", "allowLoadLocalInfile=false");

    static final Driver CURRENT = valueOf(env("DRIVER").toUpperCase());
    static final String PREPARED = "useServerPrepStmts=true";

    private final String always;
    final String infile;
    final String noInfile;

    Driver(String always, String infile, String noInfile) {
        this.always = always;
        this.infile = infile;
        this.noInfile = noInfile;
    }

    static String env(String name) {
        return System.getenv("CLIENT_" + name);
    }

    static boolean onMySQL() {
        return env("FLAVOR").equals("mysql");
    }

    /** Both drivers by default count the rows an UPDATE found; here they count those it changed. */
    static Connection connect(String... options) throws SQLException {
        return login(env("USER"), env("PASSWORD"), env("DATABASE"), options);
    }

    static Connection login(String user, String password, String database, String... options) throws SQLException {
        StringBuilder url = new StringBuilder("jdbc:" + CURRENT.name().toLowerCase() + "://" + env("HOST") + ":" + env("PORT")
                + "/" + database + "?useAffectedRows=true&allowPublicKeyRetrieval=true&" + CURRENT.always);
        for (String option : options) {
            url.append('&').append(option);
        }
        Properties account = new Properties();
        account.setProperty("user", user);
        account.setProperty("password", password);
        return DriverManager.getConnection(last(url.toString()), account);
    }

    /** Of an option given twice the last one counts; not every driver knows that. */
    private static String last(String url) {
        int question = url.indexOf('?');
        Properties options = new Properties();
        for (String option : url.substring(question + 1).split("&")) {
            options.setProperty(option.split("=", 2)[0], option.split("=", 2)[1]);
        }
        StringBuilder joined = new StringBuilder(url.substring(0, question));
        char separator = '?';
        for (String name : options.stringPropertyNames()) {
            joined.append(separator).append(name).append('=').append(options.getProperty(name));
            separator = '&';
        }
        return joined.toString();
    }

    /** The options that have the server's certificate and name verified against CLIENT_CA. */
    static String tls() throws Exception {
        return tls(env("CA"));
    }

    static String tls(String ca) throws Exception {
        return switch (CURRENT) {
            case MARIADB -> "sslMode=verify-full&serverSslCert=" + ca;
            case MYSQL -> "sslMode=VERIFY_IDENTITY&trustCertificateKeyStoreType=PKCS12&trustCertificateKeyStorePassword=changeit"
                    + "&fallbackToSystemTrustStore=false&trustCertificateKeyStoreUrl=" + trustStore(ca).toUri();
        };
    }

    private static Path trustStore(String ca) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (FileInputStream pem = new FileInputStream(ca)) {
            store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        Path path = Path.of(env("SCRATCH"), "trust.p12");
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, "changeit".toCharArray());
        }
        return path;
    }

    static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** The one value that a query answers, as text; with arguments it is prepared. */
    static String value(Connection connection, String sql, Object... arguments) throws SQLException {
        if (arguments.length == 0) {
            try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
                return only(rows);
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return only(rows);
            }
        }
    }

    private static String only(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getString(1);
    }
}
