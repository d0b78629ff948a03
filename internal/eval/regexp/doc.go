// Package regexp matches regular expressions where all of the servers' libraries agree.
//
// MariaDB matches with PCRE2, MySQL with ICU. Both know more than they have in common, and of some characters,
// counts and groups they make different things. A Pattern is of the part of the grammar that means the same to both
// and to Go's package regexp, which matches; Read takes no other. Of a Pattern it is known whether the place of a
// match, what its groups hold and where the next one begins are the same to all; of a text, Check says whether it
// has a character in which the libraries differ, and whether they come to an end with it: both try one way after
// the other and give up, so the steps of that are counted here (Go's package takes time that is linear in the text).
//
//	text of a pattern ── Read ──► Pattern ── Check(text) ──► Match, Nth, All, Replace
//
// What is false is not known, and the caller refuses it. The package knows characters of UTF-8 and nothing of values,
// types or collations: whether case counts is told to Read. A Pattern counts steps in memory of its own, so it is for
// one goroutine.
package regexp
