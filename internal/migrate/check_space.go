package migrate

import (
	"context"
	"fmt"
)

// growth is how much larger a table may become while each value is in it twice, once
// sealed, and then is made anew beside itself. A sealed form is some 30 bytes longer than
// its value.
const growth = 4

// checkSpace tells of the room that the work takes.
func checkSpace(ctx context.Context, s *subject) (all []Finding, err error) {
	var apart int
	if err := s.DB.QueryRowContext(ctx, "SELECT @@innodb_file_per_table").Scan(&apart); err != nil {
		return nil, err
	}
	if apart == 0 {
		all = hinders("innodb_file_per_table is off: pages that the table gives back stay, with what they have, in a file that tables share",
			"SET GLOBAL innodb_file_per_table = ON; a table that was made without it gets a file of its own by the last step")
	}
	const large = 1 << 30
	if s.bytes < large {
		return all, nil
	}
	return append(all, Finding{
		What: fmt.Sprintf("the table has about %d MiB, and may need %d MiB more for a while", s.bytes>>20, growth*s.bytes>>20),
		Fix:  "see that the server's disk, and those of its replicas, have room",
	}), nil
}
