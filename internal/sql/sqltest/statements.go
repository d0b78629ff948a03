package sqltest

import (
	"regexp"

	"tunic/internal/sql/lex"
)

// Statements are what sysbench's oltp_* scripts send in text.
var Statements = []struct{ Name, Text string }{
	{"point select", "SELECT c FROM sbtest1 WHERE id=4993"},
	{"simple range", "SELECT c FROM sbtest1 WHERE id BETWEEN 5027 AND 5126"},
	{"sum range", "SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN 5027 AND 5126"},
	{"order range", "SELECT c FROM sbtest1 WHERE id BETWEEN 5027 AND 5126 ORDER BY c"},
	{"distinct range", "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 5027 AND 5126 ORDER BY c"},
	{"index update", "UPDATE sbtest1 SET k=k+1 WHERE id=5031"},
	{"non-index update", "UPDATE sbtest1 SET c='04776570498-24146271262-87204329022-63812263486-54105063427-50226451459-18376450398-26388069426-10587812803-92446432471' WHERE id=5031"},
	{"delete", "DELETE FROM sbtest1 WHERE id=4984"},
	{"insert", "INSERT INTO sbtest1 (id, k, c, pad) VALUES (4984, 5031, '04776570498-24146271262-87204329022-63812263486-54105063427-50226451459-18376450398-26388069426-10587812803-92446432471', '27590239742-20204899609-34345212327-79811525340-24267764271')"},
	{"prepared point select", "SELECT c FROM sbtest1 WHERE id=?"},
	{"begin", "BEGIN"},
}

// OtherVersions are the executable comments that the model does not know.
var OtherVersions = regexp.MustCompile(`/\*M!|/\*!(?:40101[0-9]|[0-35-9][0-9]{4}|4[1-9][0-9]{3}|40[02-9][0-9]{2}|401[1-9][0-9]|4010[02-9])`)

// ModelModes are the modes of the slow models with which tests compare.
var ModelModes = lex.Modes(0).WithServer("10.11.6-MariaDB")
