package turn

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/sqlerr"
)

// TestAnewIfTooWide: a table that has become too wide is made anew in place, and then gets its statement; where
// it cannot be made so, the client hears of what it has asked for.
func TestAnewIfTooWide(t *testing.T) {
	const statement, anew = "ALTER TABLE t ADD c INT", "ALTER TABLE `s`.`t` FORCE, ALGORITHM=INPLACE, LOCK=NONE"
	said := func(number uint16) error { return &sqlerr.Error{Number: number, State: "HY000"} }
	wide, other := said(service.RowTooWide), said(1205)
	for _, c := range []struct {
		name string
		says []error // of each statement
		runs []string
		want error
	}{
		{"fits", []error{nil}, []string{statement}, nil},
		{"another error", []error{other}, []string{statement}, other},
		{"made anew", []error{wide, nil, nil}, []string{statement, anew, statement}, nil},
		{"fails behind that", []error{wide, nil, other}, []string{statement, anew, statement}, other},
		{"cannot be made in place", []error{wide, said(service.NotSupported)}, []string{statement, anew}, wide},
		{"is not made", []error{wide, other}, []string{statement, anew}, other},
	} {
		var runs []string
		err := AnewIfTooWide(t.Context(), &catalog.Table{Schema: "s", Name: "t"}, statement, func(_ context.Context, statement string) error {
			runs = append(runs, statement)
			return c.says[len(runs)-1]
		})
		if !errors.Is(err, c.want) || c.want == nil && err != nil || !slices.Equal(runs, c.runs) {
			t.Errorf("%s: %v after %q", c.name, err, runs)
		}
	}
}
