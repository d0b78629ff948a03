import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToMany;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.Set;

/** What people work at; who pays for it, if anybody, has a budget. */
@Entity
public class Project implements Comparable<Project> {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Integer id;

    @Column(length = 60, unique = true)
    String title;

    @Column(precision = 10, scale = 3)
    BigDecimal budget;

    @ManyToMany(mappedBy = "projects")
    Set<Person> people = new HashSet<>();

    protected Project() {}

    Project(String title) {
        this(title, null);
    }

    Project(String title, BigDecimal budget) {
        this.title = title;
        this.budget = budget;
    }

    @Override
    public int compareTo(Project other) {
        return title.compareTo(other.title);
    }
}
