package migrate

import (
	"context"
	"fmt"

	"tunic/internal/ddl/remedy"
)

// checkSpace tells of the room that the work takes.
func checkSpace(ctx context.Context, s *subject) (all []Finding, err error) {
	var apart int
	if err := s.DB.QueryRowContext(ctx, "SELECT @@innodb_file_per_table").Scan(&apart); err != nil {
		return nil, err
	}
	if apart == 0 {
		all = append(all, remedied(sharedTablespace, "innodb_file_per_table is off: pages that the table gives back stay, with what they have, in a file that tables share",
			"set it on; a table that was made without it gets a file of its own by the last step",
			remedy.Remedy{Remove: []string{"SET GLOBAL innodb_file_per_table = ON"}, Restore: []string{"SET GLOBAL innodb_file_per_table = OFF"}}))
	}
	const large = 1 << 30
	if s.bytes < large {
		return all, nil
	}
	return append(all, Finding{
		What: fmt.Sprintf("the table has about %d MiB, will have about %d MiB, and may need %d MiB in between", s.roomed.Now>>20, s.roomed.After>>20, s.roomed.Peak>>20),
		Fix:  "see that the server's disk, and those of its replicas, have room",
	}), nil
}
