import jakarta.persistence.criteria.JoinType;
import java.math.BigDecimal;
import java.util.List;
import org.hibernate.ScrollMode;

/** Questions: HQL, criteria, native SQL, pages. */
final class QueryPart {
    private QueryPart() {}

    /** A part of a person, as a query makes it. */
    public record Brief(String name, BigDecimal salary) {}

    private static List<?> hql(Scenario scenario, String text, Object... parameters) throws Exception {
        return scenario.transaction(session -> {
            var query = session.createQuery(text, Object.class);
            for (int i = 0; i < parameters.length; i++) {
                query.setParameter(i + 1, parameters[i]);
            }
            return query.getResultList();
        });
    }

    static void run(Steps steps, Scenario scenario) {
        steps.step("conditions", () -> List.of(
                hql(scenario, "select email from Person where name like ?1 order by email", "kanari-n%"),
                hql(scenario, "select email from Person where salary between ?1 and ?2 order by email", new BigDecimal("3000"), new BigDecimal("6000")),
                hql(scenario, "select email from Person where rank in ?1 order by email", List.of(Person.Rank.CHIEF, Person.Rank.JUNIOR)),
                hql(scenario, "select email from Person where born is null or year(born) = 1975 order by email"),
                hql(scenario, "select email from Person where account = ?1", Scenario.CANARY + 8),
                hql(scenario, "select email from Person where active = false and upper(name) like 'KANARI-%' order by email"),
                hql(scenario, "select email from Person p where p.company.seat.city = 'Bern' and not p.height < 1.75 order by email"),
                hql(scenario, "select email from Person p where 'kanari-11' member of p.phones order by email")));
        steps.step("functions", () -> hql(scenario, """
                select upper(name), length(notes), concat(name, '/', email), coalesce(height, 0.0), substring(email, 1, 8), salary * 2,
                    case when salary > 5000 then 'much' when active then 'some' else 'none' end, extract(month from born), cast(account as String)
                from Person where email < 'kanari-2' order by email"""));
        steps.step("joins", () -> hql(scenario, """
                select p.email, c.name, x.title from Person p join p.company c left join p.projects x
                where c.founded < ?1 order by p.email, x.title""", java.time.LocalDate.of(1992, 1, 1)));
        steps.step("fetch-join", () -> scenario.transaction(session -> {
            var found = session.createQuery("select distinct c from Company c left join fetch c.people order by c.name", Company.class).getResultList();
            return found.stream().map(c -> List.of(c.name, c.people.stream().map(p -> p.email).toList())).toList();
        }));
        steps.step("entity-graph", () -> scenario.transaction(session -> {
            var graph = session.createEntityGraph(Person.class);
            graph.addAttributeNodes("company", "phones");
            var found = session.createQuery("from Person where rank = CHIEF order by email", Person.class)
                    .setHint("jakarta.persistence.fetchgraph", graph).getResultList();
            return found.stream().map(p -> List.of(p.email, p.company.name, new java.util.TreeSet<>(p.phones))).toList();
        }));
        steps.step("aggregates", () -> hql(scenario, "select count(*), sum(salary), avg(salary), min(born), max(seen), count(distinct rank), max(account) from Person"));
        steps.step("group-by", () -> hql(scenario, """
                select c.seat.city, p.rank, count(*), sum(p.salary) from Person p join p.company c
                group by c.seat.city, p.rank having count(*) > 1 order by c.seat.city, p.rank"""));
        steps.step("subqueries", () -> List.of(
                hql(scenario, "select email from Person p where salary > (select avg(q.salary) from Person q where q.company = p.company) order by email"),
                hql(scenario, "select name from Company c where exists (select 1 from Person p where p.company = c and p.rank = SENIOR and p.salary > 9000) order by name"),
                hql(scenario, "select title from Project x where x.people is empty order by title"),
                hql(scenario, "select email, (select count(*) from p.projects) from Person p where size(p.phones) = 2 order by email")));
        steps.step("constructor", () -> scenario.transaction(session ->
                session.createQuery("select new QueryPart$Brief(name, salary) from Person where salary > 12000 order by salary", Brief.class).getResultList()));
        steps.step("pages", () -> scenario.transaction(session -> {
            var query = session.createQuery("select email from Person order by salary desc, email", String.class);
            return List.of(query.setFirstResult(0).setMaxResults(4).getResultList(), query.setFirstResult(4).setMaxResults(4).getResultList(),
                    query.setFirstResult(12).setMaxResults(4).getResultList(), query.setFirstResult(0).setMaxResults(100).getResultCount());
        }));
        steps.step("criteria", () -> scenario.transaction(session -> {
            var builder = session.getCriteriaBuilder();
            var query = builder.createTupleQuery();
            var person = query.from(Person.class);
            var company = person.join("company", JoinType.LEFT);
            query.multiselect(company.get("name"), builder.count(person), builder.max(person.<BigDecimal>get("salary")))
                    .where(builder.and(builder.isTrue(person.get("active")), builder.like(person.get("email"), "%example.org")))
                    .groupBy(company.get("name")).having(builder.gt(builder.count(person), 2L)).orderBy(builder.asc(company.get("name")));
            return session.createQuery(query).getResultList().stream().map(t -> t.toArray()).toList();
        }));
        steps.step("named-query", () -> scenario.transaction(session -> session.createNamedQuery("Person.ofCity", Person.class)
                .setParameter("city", "Bern").getResultList().stream().map(p -> p.email).toList()));
        steps.step("scroll", () -> scenario.transaction(session -> {
            try (var rows = session.createQuery("select email from Person order by email", String.class).setFetchSize(3).scroll(ScrollMode.FORWARD_ONLY)) {
                int n = 0;
                while (rows.next()) {
                    n++;
                }
                return n;
            }
        }));
        steps.step("sets", () -> hql(scenario, """
                select email from Person where rank = CHIEF union select email from Person where active = false""")
                .stream().map(String::valueOf).sorted().toList());
        steps.step("windows", () -> hql(scenario, """
                select email, rank() over (partition by active order by salary desc) from Person where salary > 8000 order by email"""));
        steps.step("common-table-expression", () -> hql(scenario, """
                with rich as (select p.company.id cid, sum(p.salary) total from Person p group by p.company.id)
                select c.name, r.total from rich r join Company c on c.id = r.cid order by c.name"""));
        steps.step("native", () -> scenario.transaction(session -> session.createNativeQuery(
                "SELECT p.email, COUNT(ph.phone) AS n FROM person p LEFT JOIN person_phone ph ON ph.Person_id = p.id WHERE p.name LIKE :like"
                        + " GROUP BY p.email ORDER BY n DESC, p.email LIMIT 5", Object[].class).setParameter("like", "kanari-%").getResultList()));
    }
}
