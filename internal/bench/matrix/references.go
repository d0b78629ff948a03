package matrix

import "tunic/internal/bench/document"

// What the deployment and test report of CryptDB and of Practical-CryptDB has:
// sysbench 1.0 with the scripts of oltp_legacy over 5 tables, before MySQL 5.5.62.
const cryptDBWhere = "MySQL 5.5.62; 10 to 24 cores, 8 to 64 GB; sysbench oltp_legacy, 5 tables, 10 to 40 threads"

var cryptDBInserts = []document.Reference{
	{System: "mysql-proxy 0.8, a script that passes all on, nothing encrypted", Where: cryptDBWhere, Figures: "1,859 TPS at 24 threads; 12.9 ms on average, p95 33 ms"},
	{System: "CryptDB", Where: cryptDBWhere, Figures: "14 to 20 TPS, once 112.5; memory grows above 90 %; at 40 threads \"all backends are down\"; fails after 32,000 rows a table of 500,000"},
	{
		System: "Practical-CryptDB", Where: cryptDBWhere,
		Figures: "14 to 19 TPS with 10 cores, 33 to 54 with 16, 33 to 71 with 24; 500,000 rows in 7.25 h, 5 million in 19.5 h; 10 million a table never ended, memory to 94 %",
	},
	{System: "Practical-CryptDB, order kept in memory", Where: cryptDBWhere, Figures: "111.7 TPS; the tree of the order does not outlive a restart"},
}

var cryptDBMixed = []document.Reference{
	{System: "CryptDB and Practical-CryptDB", Where: cryptDBWhere, Figures: "an error in every run: both crash when layers are adjusted while clients work, and do not come back"},
}
