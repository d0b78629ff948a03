package bench

// The targets others are compared to.
const (
	targetDirect  = "direct"
	targetHAProxy = "haproxy"
	targetTunic   = "tunic"

	// targetProtected is on a server of its own: a tunic without a key does not
	// serve where there are protected tables.
	targetProtected = "protected"

	// targetTDE is the server alone, and protects what is stolen as files.
	targetTDE = "tde"

	// targetShardingSphere is a proxy that does far more than pass on, and
	// targetShardingSphereEncrypt the same, which encrypts columns.
	targetShardingSphere        = "shardingsphere"
	targetShardingSphereEncrypt = "shardingsphere-encrypt"
)

// What clients are compared with: nothing is done beside them.
const (
	targetQuiet          = "quiet"
	targetQuietPlain     = "quiet, plain"
	targetQuietProtected = "quiet, protected"
)

var quiets = []string{targetQuiet, targetQuietPlain, targetQuietProtected}

// targetDecrypt begins with a protected table.
const targetDecrypt = "tunic decrypt"

// baselines are the targets that every target's throughput is divided by, in the
// order of the table's columns.
var baselines = append([]string{targetDirect, targetHAProxy, targetTunic}, quiets...)

// measuredBy tells whether a target is compared to a baseline. Only what protection
// costs is told by tunic's own plain tables, and what is done to a table is compared with
// clients of a table that is as that one is at first.
func measuredBy(target, baseline string) bool {
	switch baseline {
	case targetTunic:
		return target == targetTunic || target == targetProtected
	case targetQuietPlain:
		return target != targetQuietProtected && target != targetDecrypt
	case targetQuietProtected:
		return target == targetQuietProtected || target == targetDecrypt
	default:
		return true
	}
}
