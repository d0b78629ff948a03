package assess

import "testing"

// TestOnce: the SQL for a view over two tables, and for a foreign key between them, is there once, so that all of it can be run
// as it is told: first that which takes away, and when both tables are protected that which brings back.
func TestOnce(t *testing.T) {
	onServers(t, func(h *house) {
		h.exec("CREATE TABLE shop.ward (id INT PRIMARY KEY COMMENT 'tunic: plain', code INT NOT NULL, name VARCHAR(40), UNIQUE KEY (code))",
			"CREATE TABLE shop.bed (id INT PRIMARY KEY COMMENT 'tunic: plain', ward INT, note VARCHAR(40), CONSTRAINT to_ward FOREIGN KEY (ward) REFERENCES ward (code))",
			"CREATE VIEW shop.z_beds AS SELECT bed.id, ward.name FROM shop.bed JOIN shop.ward ON bed.ward = ward.code",
			"CREATE VIEW shop.a_names AS SELECT name FROM shop.z_beds")
		a := h.look(false)
		var remove, restore []string
		for i := range a.Tables {
			remove, restore = append(remove, a.Tables[i].Remove(false)...), append(restore, a.Tables[i].Restore()...)
		}
		if len(remove) != 3 || len(restore) != 3 {
			h.t.Fatalf("remove %q, restore %q", remove, restore)
		}
		h.exec(remove...)
		for i := range a.Tables {
			h.encrypt(a.Tables[i].Name)
			if last := i == len(a.Tables)-1; (len(a.Tables[i].Restore()) > 0) != last {
				h.t.Errorf("%s: %q", a.Tables[i].Name, a.Tables[i].Restore())
			}
		}
		// Without a tunic here: what brings back reads what the one before has brought.
		for i, begin := range []string{"ALTER TABLE", "CREATE VIEW `shop`.`z_beds`", "CREATE VIEW `shop`.`a_names`"} {
			if len(restore[i]) < len(begin) || restore[i][:len(begin)] != begin {
				h.t.Errorf("%d is %q", i, restore[i])
			}
		}
	})
}
