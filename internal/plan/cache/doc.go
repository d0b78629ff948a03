// Package cache keeps what was decided upon a template, so that a text whose template was seen before is found
// without reading it: a Find that hits allocates nothing and takes no lock.
//
// What is kept is bounded by its number and its bytes; who inserts a plan says how large it is. Of what is found
// again the cache keeps more than of what is not.
//
// The package knows no plan: what it keeps is of any type, and nobody changes it. What the key of a plan is, beside
// its template, is written in Key: what a text's meaning depends on.
package cache
