import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import java.math.BigDecimal;

/** A project with a customer, in the same table. */
@Entity
public class PaidProject extends Project {
    @Column(precision = 10, scale = 3)
    BigDecimal budget;

    protected PaidProject() {}

    PaidProject(String title, BigDecimal budget) {
        super(title);
        this.budget = budget;
    }
}
