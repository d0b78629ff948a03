import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * The scenario of Hibernate: a schema is made, checked, filled, asked, changed and
 * dropped. Every step's result is one line; see ../README.md.
 */
public final class Scenario {
    static final long CANARY = 7731415926535897932L;
    static final List<Class<?>> ENTITIES = List.of(Company.class, Person.class, Project.class);

    /** What a transaction does. */
    interface Work<T> {
        T with(Session session) throws Exception;
    }

    private final SessionFactory factory;

    private Scenario(SessionFactory factory) {
        this.factory = factory;
    }

    SessionFactory factory() {
        return factory;
    }

    /** Does work in a transaction, which is rolled back if it fails. */
    <T> T transaction(Work<T> work) throws Exception {
        try (Session session = factory.openSession()) {
            var transaction = session.beginTransaction();
            try {
                T result = work.with(session);
                transaction.commit();
                return result;
            } catch (Exception e) {
                if (transaction.isActive()) {
                    transaction.rollback();
                }
                throw e;
            }
        }
    }

    /** Opens the program, which treats the schema as it is told: create, update, validate, none, drop. */
    static SessionFactory open(String schema, Class<?>... more) {
        Map<String, String> env = System.getenv();
        boolean mysql = env.get("APP_FLAVOR").equals("mysql");
        String url = "jdbc:%s://%s:%s/%s?%s=%s".formatted(
                mysql ? "mysql" : "mariadb", env.get("APP_HOST"), env.get("APP_PORT"), env.get("APP_DATABASE"),
                "sslMode", mysql ? "REQUIRED" : "trust");
        var configuration = new Configuration()
                .setProperty("hibernate.connection.url", url)
                .setProperty("hibernate.connection.username", env.get("APP_USER"))
                .setProperty("hibernate.connection.password", env.get("APP_PASSWORD"))
                .setProperty("hibernate.connection.pool_size", "3")
                .setProperty("hibernate.hbm2ddl.auto", schema)
                .setProperty("hibernate.hbm2ddl.halt_on_error", "true")
                .setProperty("hibernate.jdbc.batch_size", "20")
                .setProperty("hibernate.order_inserts", "true")
                .setProperty("hibernate.order_updates", "true")
                .setProperty("hibernate.jdbc.time_zone", "UTC")
                .setProperty("hibernate.generate_statistics", "true");
        ENTITIES.forEach(configuration::addAnnotatedClass);
        for (Class<?> one : more) {
            configuration.addAnnotatedClass(one);
        }
        return configuration.buildSessionFactory();
    }

    public static void main(String[] arguments) {
        java.util.logging.LogManager.getLogManager().reset();
        java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("UTC"));
        var steps = new Steps();
        SchemaPart.before(steps);
        try (SessionFactory factory = open("none")) {
            var scenario = new Scenario(factory);
            EntityPart.run(steps, scenario);
            QueryPart.run(steps, scenario);
            WritePart.run(steps, scenario);
        }
        SchemaPart.after(steps);
        System.exit(steps.status());
    }
}
