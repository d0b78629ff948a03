// Package figure says what a few repeated measurements come to, and how such numbers are written.
//
// A [Stat] is the median of the rounds with their extremes. [Differ] tells whether two samples come from different
// means, [Drift] how far a series moved away from where it had settled. [Shown], [ShownSpread], [Grouped] and
// [Decimals] write numbers as tables, plots and pages have them.
//
// The package knows numbers. Which of them are compared, and in which round each was measured, is known to who asks:
// see package bench.
package figure
