// Package documenttest has documents with which the tests of benchmarks, of their pages and of comparisons begin.
package documenttest
