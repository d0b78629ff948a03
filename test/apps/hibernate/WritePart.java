import jakarta.persistence.LockModeType;
import java.math.BigDecimal;
import java.util.List;

/** Many rows at once, locks, rollbacks. */
final class WritePart {
    private WritePart() {}

    private static List<?> salaries(Scenario scenario) throws Exception {
        return scenario.transaction(session -> session.createQuery("select email, salary, version from Person order by email", Object[].class).getResultList());
    }

    static void run(Steps steps, Scenario scenario) {
        steps.step("bulk-update", () -> List.of(
                scenario.transaction(session -> session.createMutationQuery("update Person set salary = salary * 1.10 where rank = SENIOR").executeUpdate()),
                scenario.transaction(session -> session.createMutationQuery(
                        "update versioned Person p set p.notes = concat(p.name, ' kanari-noted') where p.company.id in (select c.id from Company c where c.seat.city = 'Bern')")
                        .executeUpdate()),
                salaries(scenario)));
        steps.step("batch-update", () -> scenario.transaction(session -> {
            var people = session.createQuery("from Person where active = true order by email", Person.class).getResultList();
            people.forEach(p -> p.salary = p.salary.add(BigDecimal.ONE));
            session.flush();
            return people.size();
        }));
        steps.step("bulk-insert", () -> scenario.transaction(session -> session.createMutationQuery(
                "insert into Project (title) values ('kanari-added 1'), ('kanari-added 2')").executeUpdate()));
        steps.step("insert-select", () -> scenario.transaction(session -> session.createMutationQuery(
                "insert into Project (title) select concat('kanari-of ', c.name) from Company c where c.founded is not null").executeUpdate()));
        steps.step("stateless", () -> {
            try (var session = scenario.factory().openStatelessSession()) {
                var transaction = session.beginTransaction();
                var project = new Project("kanari-stateless");
                session.insert(project);
                project.title = "kanari-stateless 2";
                session.update(project);
                transaction.commit();
                return session.createQuery("select title from Project order by title", String.class).getResultList();
            }
        });
        steps.step("pessimistic-locks", () -> scenario.transaction(session -> {
            var p = session.createQuery("from Person where email = 'kanari-8@example.org'", Person.class).setLockMode(LockModeType.PESSIMISTIC_WRITE).getSingleResult();
            session.lock(p.company, LockModeType.PESSIMISTIC_READ);
            session.lock(p, LockModeType.PESSIMISTIC_FORCE_INCREMENT);
            p.salary = p.salary.subtract(new BigDecimal("0.25"));
            session.flush();
            return List.of(p.version, p.salary);
        }));
        steps.step("rollback", () -> {
            var before = Steps.plain(salaries(scenario));
            var error = Steps.errorOf(() -> scenario.transaction(session -> {
                session.createMutationQuery("update Person set salary = 0").executeUpdate();
                session.persist(new Project("kanari-lost"));
                session.flush();
                throw new IllegalStateException();
            }));
            return List.of(error, before.equals(Steps.plain(salaries(scenario))));
        });
        steps.step("bulk-delete", () -> List.of(
                scenario.transaction(session -> session.createMutationQuery("delete from Project x where x.title like 'kanari-added%'").executeUpdate()),
                scenario.transaction(session -> {
                    var company = session.createQuery("from Company where name = 'kanari-company 1'", Company.class).getSingleResult();
                    session.remove(company);
                    session.flush();
                    return session.createQuery("select count(*) from Person", Long.class).getSingleResult();
                })));
        steps.step("rest", () -> salaries(scenario));
    }
}
