import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;

/** Where something is. */
@Embeddable
public class Address {
    @Column(length = 60)
    String street;

    @Column(length = 40)
    String city;

    protected Address() {}

    Address(String street, String city) {
        this.street = street;
        this.city = city;
    }
}
