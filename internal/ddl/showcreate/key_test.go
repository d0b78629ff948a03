package showcreate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestItemsOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                                  nil,
		"`a` int":                           {"`a` int"},
		"`a` decimal(5,2), KEY (`a`,`b`)":   {"`a` decimal(5,2)", "KEY (`a`,`b`)"},
		"`a` enum('x,y') COMMENT ',' , `b`": {"`a` enum('x,y') COMMENT ','", "`b`"},
	} {
		all := Tokens(text)
		var got []string
		for _, i := range ItemsOf(text, all, 0, len(all)) {
			got = append(got, text[all[i.From].From:all[i.To-1].To])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestTailComment(t *testing.T) {
	t.Parallel()
	for tail, want := range map[string]string{
		"":                                       "",
		" USING BTREE":                           "",
		" COMMENT 'it''s' /*!80000 INVISIBLE */": "'it''s'",
	} {
		at := TailComment(tail)
		if got := tail[at.From:at.To]; got != want {
			t.Errorf("%q: %q, want %q", tail, got, want)
		}
	}
}

func TestTypeLength(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]int{"varbinary(300)": 300, "binary(16)": 16, "blob": 0} {
		if got := TypeLength(typ); got != want {
			t.Errorf("%s: %d, want %d", typ, got, want)
		}
	}
}
