package definition

import "testing"

func TestInColumns(t *testing.T) {
	for text, want := range map[string]string{
		"create table `x`.`t` (\n\t`a` int,\n\t`b` smallint unsigned not null,\n\tprimary key (`a`, `b`),\n\tconstraint `column b ` check (`b` >= 0)\n) ENGINE=InnoDB":                               "create table `x`.`t` (\n\t`a` int,\n\t`b` smallint unsigned not null check (`b` >= 0),\n\tprimary key (`a`, `b`)\n) ENGINE=InnoDB",
		"create table `t` (\n\t`a` decimal(5,2) check_not,\n\tconstraint `column a ` check (`a` > 0 and (`a` < 9)),\n\tconstraint `n` check (`a` > 1),\n\tconstraint `column A ` check (`a` > 2)\n)": "create table `t` (\n\t`a` decimal(5,2) check_not check (`a` > 0 and (`a` < 9)) check (`a` > 2),\n\tconstraint `n` check (`a` > 1)\n)",
		"alter table `x`.`t` add column `c` int unsigned not null, add constraint `column c ` check (`c` >= 0), add key `k` (`c`)":                                                                   "alter table `x`.`t` add column `c` int unsigned not null check (`c` >= 0), add key `k` (`c`)",
		"alter table `t` change column `a` `b` json, add constraint `column b ` check (json_valid(`b`))":                                                                                             "alter table `t` change column `a` `b` json check (json_valid(`b`))",
		"alter table `t` modify column `a` int, add constraint `column z ` check (`z` > 0)":                                                                                                          "alter table `t` modify column `a` int, add constraint `column z ` check (`z` > 0)",
		"create table `t` (\n\t`a` int\n)": "create table `t` (\n\t`a` int\n)",
	} {
		if got := InColumns(text); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}
