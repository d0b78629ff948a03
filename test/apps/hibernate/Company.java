import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** An employer. */
@Entity
@Table(name = "company", uniqueConstraints = @UniqueConstraint(name = "company_name", columnNames = "name"))
public class Company {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Long id;

    @Column(length = 80, nullable = false)
    String name;

    LocalDate founded;

    @Embedded
    Address seat;

    @OneToMany(mappedBy = "company", cascade = CascadeType.ALL, orphanRemoval = true)
    @OrderBy("name")
    List<Person> people = new ArrayList<>();

    protected Company() {}

    Company(String name, LocalDate founded, Address seat) {
        this.name = name;
        this.founded = founded;
        this.seat = seat;
    }

    void hire(Person person) {
        person.company = this;
        people.add(person);
    }
}
