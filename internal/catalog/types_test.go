package catalog

import (
	"errors"
	"testing"

	"tunic/internal/value"
	"tunic/internal/value/charset"
)

func TestTypesOf(t *testing.T) {
	types := TypesOf(charset.MariaDB)
	got, err := types("varchar(40)", "utf8mb4_general_ci", true)
	if err != nil || got.Kind != value.VarChar || got.Length != 40 || !got.NotNull || got.Collation.Name != "utf8mb4_general_ci" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range [][2]string{{"varchar(40)", "klingon_ci"}, {"frob(3)", ""}, {"int(x)", ""}} {
		if _, err := types(c[0], c[1], false); !errors.Is(err, ErrContent) {
			t.Errorf("%s %s: %v", c[0], c[1], err)
		}
	}
}
