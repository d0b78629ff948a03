import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.Lob;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.NaturalId;
import org.hibernate.type.SqlTypes;

/** Somebody, with a column of most types. */
@Entity
@Table(name = "person", indexes = @Index(name = "person_name", columnList = "name, born"))
@NamedQuery(name = "Person.ofCity", query = "select p from Person p where p.company.seat.city = :city order by p.email")
public class Person {
    /** What somebody is. */
    public enum Rank { JUNIOR, SENIOR, CHIEF }

    @Id
    @GeneratedValue(strategy = GenerationType.TABLE, generator = "person_ids")
    @TableGenerator(name = "person_ids", allocationSize = 10)
    Long id;

    @Version
    int version;

    @NaturalId
    @Column(length = 100, nullable = false)
    String email;

    @Column(length = 80, nullable = false)
    String name;

    LocalDate born;

    @Enumerated(EnumType.STRING)
    @Column(name = "grade")
    Rank rank = Rank.JUNIOR;

    @Column(precision = 12, scale = 2)
    BigDecimal salary;

    Long account;
    Double height;
    boolean active = true;
    Instant seen;
    LocalTime starts;

    @Lob
    @Column(length = 100_000)
    String notes;

    byte[] photo;

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, Object> details;

    @ManyToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "company_id")
    Company company;

    @ManyToMany
    Set<Project> projects = new TreeSet<>();

    @ElementCollection
    @CollectionTable(name = "person_phone")
    @Column(name = "phone", length = 30, nullable = false)
    Set<String> phones = new TreeSet<>();

    protected Person() {}

    Person(String email, String name) {
        this.email = email;
        this.name = name;
    }
}
