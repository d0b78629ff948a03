import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;

/** One to one with a person; it comes with a later version of the program. */
@Entity
public class Badge {
    @Id
    Long id;

    @OneToOne
    @MapsId
    Person person;

    @Column(length = 40)
    String text;

    protected Badge() {}

    Badge(Person person, String text) {
        this.person = person;
        this.text = text;
    }
}
