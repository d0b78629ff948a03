import jakarta.persistence.Column;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.ManyToMany;
import java.util.HashSet;
import java.util.Set;

/** What people work at. */
@Entity
@Inheritance(strategy = InheritanceType.SINGLE_TABLE)
@DiscriminatorColumn(name = "sort", length = 20)
public class Project implements Comparable<Project> {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Integer id;

    @Column(length = 60, unique = true)
    String title;

    @ManyToMany(mappedBy = "projects")
    Set<Person> people = new HashSet<>();

    protected Project() {}

    Project(String title) {
        this.title = title;
    }

    @Override
    public int compareTo(Project other) {
        return title.compareTo(other.title);
    }
}
