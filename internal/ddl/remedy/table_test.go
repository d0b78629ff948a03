package remedy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const definition = "CREATE TABLE `t` (\n" +
	"  `a` int(11) NOT NULL,\n" +
	"  `b` varchar(20) DEFAULT 'x' COMMENT 'a name',\n" +
	"  `doc` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`doc`)),\n" +
	"  `at` int(11) DEFAULT (unix_timestamp() + `a`),\n" +
	"  `g` int(11) GENERATED ALWAYS AS (`a` + 1) VIRTUAL,\n" +
	"  `o` int(11) DEFAULT NULL,\n" +
	"  `f1` int(11) DEFAULT NULL COMMENT 'a number; tunic: equality family f',\n" +
	"  `f2` int(11) DEFAULT NULL COMMENT 'tunic: family f',\n" +
	"  UNIQUE KEY `ab` (`a`,`b`),\n" +
	"  KEY `words` (`b`),\n" +
	"  KEY `up` ((upper(`b`))),\n" +
	"  CONSTRAINT `fk` FOREIGN KEY (`o`) REFERENCES `other` (`id`) ON DELETE CASCADE\n" +
	") ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 PARTITION BY HASH (`a`) PARTITIONS 4"

func TestRemedies(t *testing.T) {
	p, err := ReadPlain("shop", "t", definition)
	if err != nil {
		t.Fatal(err)
	}
	const alter = "ALTER TABLE `shop`.`t` "
	for name, c := range map[string]struct{ got, want Remedy }{
		"left out":                      {p.LeaveOut("a"), Remedy{Remove: []string{alter + "MODIFY COLUMN `a` int(11) NOT NULL COMMENT 'tunic: plain'"}}},
		"left out beside a comment":     {p.LeaveOut("b"), Remedy{Remove: []string{alter + "MODIFY COLUMN `b` varchar(20) DEFAULT 'x' COMMENT 'a name; tunic: plain'"}}},
		"left out, not there":           {p.LeaveOut("none"), Remedy{}},
		"without a family":              {p.WithoutFamily("f1"), Remedy{Remove: []string{alter + "MODIFY COLUMN `f1` int(11) DEFAULT NULL COMMENT 'a number; tunic: equality'"}}},
		"without a family alone":        {p.WithoutFamily("f2"), Remedy{Remove: []string{alter + "MODIFY COLUMN `f2` int(11) DEFAULT NULL COMMENT ''"}}},
		"without a family that is none": {p.WithoutFamily("b"), Remedy{}},
		"without a key": {p.WithoutKey("words"), Remedy{
			Remove: []string{alter + "DROP KEY `words`"}, Restore: []string{alter + "ADD KEY `words` (`b`)"},
		}},
		"without a key that is not there": {p.WithoutKey("none"), Remedy{}},
		"without keys over expressions": {p.WithoutExpressionKeys(), Remedy{
			Remove: []string{alter + "DROP KEY `up`"}, // a protected table has no such key
		}},
		"not partitioned": {p.Unpartitioned(), Remedy{Remove: []string{alter + "REMOVE PARTITIONING"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if p.HasPrimaryKey() || p.HasCounter() || p.InPrimaryKey("a") {
		t.Error("it has no primary key and no counter")
	}
	want := []Reference{{
		Name: "fk", Columns: []string{"o"}, Schema: "shop", Table: "other", Referenced: []string{"id"},
		Drop: Remedy{
			Remove:  []string{alter + "DROP FOREIGN KEY `fk`"},
			Restore: []string{alter + "ADD CONSTRAINT `fk` FOREIGN KEY (`o`) REFERENCES `other` (`id`) ON DELETE CASCADE"},
		},
	}}
	if diff := cmp.Diff(want, p.References("shop")); diff != "" {
		t.Error(diff)
	}
}

func TestUnread(t *testing.T) {
	if _, err := ReadPlain("shop", "t", "CREATE VIEW `t` AS SELECT 1"); err == nil {
		t.Error("a view was read as a table")
	}
}
