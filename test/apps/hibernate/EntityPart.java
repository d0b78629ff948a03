import jakarta.persistence.OptimisticLockException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Entities: persisted in batches, found, changed, versioned, removed. */
final class EntityPart {
    private EntityPart() {}

    static Person byEmail(org.hibernate.Session session, int n) {
        return session.createQuery("from Person p join fetch p.company where p.email = :email", Person.class)
                .setParameter("email", "kanari-%d@example.org".formatted(n)).getSingleResult();
    }

    static void run(Steps steps, Scenario scenario) {
        steps.step("fill", () -> scenario.transaction(session -> {
            var projects = List.of(new Project("kanari-inside"), new Project("kanari-bridge", new BigDecimal("1234.500")),
                    new Project("kanari-road", new BigDecimal("99.125")));
            projects.forEach(session::persist);
            for (int c = 0; c < 3; c++) {
                var company = new Company("kanari-company " + c, LocalDate.of(1990 + c, 2, 3), new Address("kanari-street " + c, c == 1 ? "Bern" : "Genf"));
                for (int p = 0; p < 5; p++) {
                    int n = 5 * c + p;
                    var person = new Person("kanari-%d@example.org".formatted(n), "kanari-" + (n % 4 == 0 ? "Ärger " : "name ") + n % 6);
                    person.born = n == 7 ? null : LocalDate.of(1970 + n, 1 + n % 12, 5);
                    person.rank = Person.Rank.values()[n % 3];
                    person.salary = new BigDecimal("1000.25").multiply(BigDecimal.valueOf(n + 1));
                    person.account = Scenario.CANARY + n;
                    person.height = n == 3 ? null : 1.5 + n / 32.0;
                    person.active = n % 4 != 1;
                    person.seen = Instant.parse("2024-03-0%dT10:11:12.5Z".formatted(n % 9 + 1));
                    person.starts = LocalTime.of(6 + n % 4, 30);
                    person.notes = "kanari-notes ".repeat(n);
                    person.photo = n % 2 == 0 ? new byte[] {0, (byte) n, -1} : null;
                    person.details = Map.of("size", n, "words", List.of("kanari-json", "x"));
                    person.phones.addAll(List.of("kanari-1" + n, "kanari-2" + n).subList(0, n % 3));
                    person.projects.addAll(projects.subList(0, n % 4));
                    company.hire(person);
                }
                session.persist(company);
            }
            session.flush();
            return List.of(session.createQuery("select count(*) from Person", Long.class).getSingleResult(),
                    session.createQuery("select count(*) from Company", Long.class).getSingleResult());
        }));
        steps.step("batches", () -> {
            var statistics = scenario.factory().getStatistics();
            return List.of(statistics.getEntityInsertCount(), statistics.getPrepareStatementCount());
        });
        steps.step("load", () -> scenario.transaction(session -> {
            var p = byEmail(session, 6);
            return new Object[] {p.id, p.version, p.name, p.born, p.rank, p.salary, p.account, p.height, p.active, p.seen, p.starts, p.notes, p.photo,
                p.details, p.company.name, p.company.seat.city, new TreeSet<>(p.phones), p.projects.stream().map(x -> x.title).sorted().toList()};
        }));
        steps.step("natural-id", () -> scenario.transaction(session ->
                session.bySimpleNaturalId(Person.class).load("kanari-6@example.org").name));
        steps.step("first-level-cache", () -> scenario.transaction(session -> {
            var first = byEmail(session, 2);
            return session.find(Person.class, first.id) == first;
        }));
        steps.step("dirty-checking", () -> scenario.transaction(session -> {
            var p = byEmail(session, 2);
            p.name = "kanari-renamed";
            p.details = Map.of("size", -1);
            p.company.seat.city = "Basel";
            session.flush();
            session.clear();
            p = byEmail(session, 2);
            return List.of(p.version, p.name, p.details, p.company.seat.city);
        }));
        steps.step("optimistic-lock", () -> {
            try (var one = scenario.factory().openSession(); var two = scenario.factory().openSession()) {
                var a = byEmail(one, 3);
                var b = byEmail(two, 3);
                var first = one.beginTransaction();
                a.notes = "kanari-first";
                first.commit();
                two.beginTransaction();
                b.notes = "kanari-second";
                try {
                    two.flush();
                    return "no error";
                } catch (OptimisticLockException e) {
                    two.getTransaction().rollback();
                    return e.getClass().getSimpleName();
                }
            }
        });
        steps.step("merge", () -> {
            var detached = scenario.transaction(session -> byEmail(session, 4));
            detached.salary = new BigDecimal("7.77");
            return scenario.transaction(session -> {
                var merged = session.merge(detached);
                session.flush();
                session.refresh(merged);
                return List.of(merged.salary, merged.version);
            });
        });
        steps.step("collections", () -> scenario.transaction(session -> {
            var p = byEmail(session, 5);
            p.phones.clear();
            p.phones.add("kanari-new");
            p.projects.removeIf(project -> project.budget != null);
            session.flush();
            session.refresh(p);
            return List.of(new TreeSet<>(p.phones), p.projects.stream().map(x -> x.title).sorted().toList());
        }));
        steps.step("orphans", () -> scenario.transaction(session -> {
            var company = session.createQuery("from Company where name = 'kanari-company 2'", Company.class).getSingleResult();
            company.people.remove(company.people.size() - 1);
            session.flush();
            return session.createQuery("select count(*) from Person p where p.company = :c", Long.class).setParameter("c", company).getSingleResult();
        }));
        steps.step("violations", () -> List.of(
                Steps.errorOf(() -> scenario.transaction(session -> {
                    session.persist(new Person("kanari-1@example.org", "kanari-double"));
                    session.flush();
                    return null;
                })),
                Steps.errorOf(() -> scenario.transaction(session ->
                        session.createNativeMutationQuery("update person set name = null where email = 'kanari-1@example.org'").executeUpdate())),
                Steps.errorOf(() -> scenario.transaction(session ->
                        session.createNativeMutationQuery("update person set company_id = 999999 where email = 'kanari-1@example.org'").executeUpdate()))));
    }
}
