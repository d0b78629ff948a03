package account

import (
	"maps"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// TestAnnotations: comments that speak to tunic are found in a definition, however they are written.
func TestAnnotations(t *testing.T) {
	definition := "CREATE TABLE `t` (\n  `a` int(11) DEFAULT NULL COMMENT 'tunic: sealed',\n" +
		"  `b``c` enum('COMMENT ''tunic: plain''') DEFAULT NULL COMMENT 'it''s; TUNIC: equality',\n" +
		"  `d` varchar(19) DEFAULT 'tunic: order',\n  `e` int(11) DEFAULT NULL COMMENT 'of the card',\n  `f` int(11) DEFAULT NULL COMMENT 'tunic: family Row'\n) ENGINE=InnoDB COMMENT='tunic: order'"
	want := map[string]policy.Note{
		"a": {Protection: policy.Sealed}, "b`c": {Protection: policy.Protection{Protected: true, Allowed: policy.Equality}},
		"f": {Silent: true, Family: "row"},
	}
	if got := Annotations(&catalog.Table{Definition: definition}); !maps.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	if got := Annotations(&catalog.Table{}); len(got) != 0 {
		t.Errorf("without a definition: %v", got)
	}
}
