import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;

/** The schema: made, validated, extended, looked at, dropped. */
final class SchemaPart {
    private SchemaPart() {}

    private static Object with(String schema, Class<?>... more) {
        try (SessionFactory factory = Scenario.open(schema, more)) {
            return factory.getMetamodel().getEntities().size();
        }
    }

    static void before(Steps steps) {
        steps.step("create-schema", () -> with("create-only"));
        steps.step("validate-schema", () -> with("validate"));
        steps.step("update-changes-nothing", () -> with("update"));
        steps.step("columns", () -> told("person", (meta, table) -> meta.getColumns(null, null, table, null),
                "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "COLUMN_SIZE", "DECIMAL_DIGITS", "IS_NULLABLE", "COLUMN_DEF", "IS_AUTOINCREMENT"));
        steps.step("primary-keys", () -> told("company", (meta, table) -> meta.getPrimaryKeys(null, null, table), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"));
        steps.step("indexes", () -> told("person", (meta, table) -> meta.getIndexInfo(null, null, table, false, true),
                "NON_UNIQUE", "INDEX_NAME", "ORDINAL_POSITION", "COLUMN_NAME"));
        steps.step("foreign-keys", () -> told("person", (meta, table) -> meta.getImportedKeys(null, null, table),
                "PKTABLE_NAME", "PKCOLUMN_NAME", "FKCOLUMN_NAME", "UPDATE_RULE", "DELETE_RULE"));
    }

    static void after(Steps steps) {
        steps.step("update-schema", () -> with("update", Badge.class));
        steps.step("validate-updated", () -> with("validate", Badge.class));
        steps.step("use-updated", () -> {
            try (SessionFactory factory = Scenario.open("none", Badge.class)) {
                return factory.fromTransaction(session -> {
                    var person = session.createQuery("from Person order by email", Person.class).setMaxResults(1).getSingleResult();
                    session.persist(new Badge(person, "kanari-badge"));
                    session.flush();
                    session.clear();
                    return session.createQuery("select b.text, b.person.email from Badge b", Object[].class).getResultList();
                });
            }
        });
        steps.step("drop-schema", () -> {
            try (SessionFactory factory = Scenario.open("none", Badge.class)) {
                factory.getSchemaManager().dropMappedObjects(false);
            }
            return told("%", (meta, table) -> meta.getTables(null, null, table, new String[] {"TABLE"}), "TABLE_NAME");
        });
    }

    /** What the driver tells of a table. */
    interface Question {
        ResultSet ask(DatabaseMetaData meta, String table) throws SQLException;
    }

    private static List<List<String>> told(String table, Question question, String... columns) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (SessionFactory factory = Scenario.open("none"); var session = factory.openSession()) {
            session.doWork(connection -> {
                try (ResultSet found = question.ask(connection.getMetaData(), table)) {
                    while (found.next()) {
                        if (!connection.getCatalog().equals(found.getString(1)) && !columns[0].startsWith("PK")) {
                            continue; // of another database
                        }
                        List<String> row = new ArrayList<>();
                        for (String column : columns) {
                            row.add(found.getString(column));
                        }
                        rows.add(row);
                    }
                }
            });
        }
        return rows;
    }
}
