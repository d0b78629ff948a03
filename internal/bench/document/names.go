package document

// The targets others are compared to.
const (
	TargetDirect  = "direct"
	TargetHAProxy = "haproxy"
	TargetTunic   = "tunic"

	// TargetProtected is on a server of its own: a tunic without a key does not
	// serve where there are protected tables.
	TargetProtected = "protected"

	// TargetApart is the same with each protected column sealed by itself.
	TargetApart = "apart"

	// TargetTDE is the server alone, and protects what is stolen as files.
	TargetTDE = "tde"

	// TargetShardingSphere is a proxy that does far more than pass on, and
	// TargetShardingSphereEncrypt the same, which encrypts columns.
	TargetShardingSphere        = "shardingsphere"
	TargetShardingSphereEncrypt = "shardingsphere-encrypt"
)

// What clients are compared with: nothing is done beside them.
const (
	TargetQuiet          = "quiet"
	TargetQuietPlain     = "quiet, plain"
	TargetQuietProtected = "quiet, protected"
)

// Quiets are all of them.
var Quiets = []string{TargetQuiet, TargetQuietPlain, TargetQuietProtected}

// TargetDecrypt begins with a protected table.
const TargetDecrypt = "tunic decrypt"

// Baselines are the targets that every target's throughput is divided by, in the
// order of the table's columns.
var Baselines = append([]string{TargetDirect, TargetHAProxy, TargetTunic}, Quiets...)

// IsTunic reports whether a target is a tunic that serves as it does for clients.
func IsTunic(target string) bool {
	return target == TargetTunic || target == TargetProtected || target == TargetApart
}

// MeasuredBy tells whether a target is compared to a baseline. Only what protection
// costs is told by tunic's own plain tables, and what is done to a table is compared with
// clients of a table that is as that one is at first.
func MeasuredBy(target, baseline string) bool {
	switch baseline {
	case TargetTunic:
		return IsTunic(target)
	case TargetQuietPlain:
		return target != TargetQuietProtected && target != TargetDecrypt
	case TargetQuietProtected:
		return target == TargetQuietProtected || target == TargetDecrypt
	default:
		return true
	}
}
