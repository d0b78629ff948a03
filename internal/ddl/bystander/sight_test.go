package bystander

import "testing"

// TestRevokedOn: of SHOW GRANTS those rows count that take something away.
func TestRevokedOn(t *testing.T) {
	for grant, want := range map[string]string{
		"GRANT SELECT, TRIGGER ON *.* TO `u`@`%`":                   "",
		"GRANT `role`@`%` TO `u`@`%`":                               "",
		"REVOKE SELECT, TRIGGER ON `h4`.* FROM `u`@`%`":             "`h4`.*",
		"REVOKE TRIGGER ON `sys`.* FROM `tunic_service`@`10.0.0.1`": "`sys`.*",
	} {
		if got, ok := revokedOn(grant); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %t", grant, got, ok)
		}
	}
}
