// Package draw makes the pictures of a benchmark's pages: SVG that stands alone, with its own style and no reference
// to anything outside, so that a page can be mailed or kept.
//
// A [Canvas] writes a few shapes at places in pixels. A [Chart] draws on one how numbers go on, second by second. The
// colours are such that colour-blind people can tell apart.
//
// The package knows numbers, texts and colours. It knows no benchmark: which numbers are drawn, and what a plot of
// targets and cases looks like, is said by who has them.
package draw
