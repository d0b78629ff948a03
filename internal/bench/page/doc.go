// Package page tells what came of a benchmark: as a table of text, a plot, a page of HTML that stands alone, a
// sentence, and a comparison of two.
//
// All are made from a [document.Document] alone, so that one of last year is told as one of today. Cells that are
// told of in the same words are a [Section]: it says what columns there are, and the table and the page both have
// them. [Table], [Plot] and [Render] show a document, [Write] keeps the page, [Compare] holds a document against an
// earlier one by [Metrics], and [Failures] says whether what is shown is good.
//
// The package knows documents, what can be measured (package matrix), figures and drawing. It starts nothing, and
// measures nothing.
package page
