package policy

import (
	"bytes"
	"strings"
)

// annotationMark begins an annotation in a comment.
const (
	annotationWord = "tunic"
	annotationMark = annotationWord + ":"
)

// Annotation finds what a comment says to tunic. An annotation is the whole
// comment, or follows a comment of the application's after a semicolon:
//
//	COMMENT 'tunic: equality'
//	COMMENT 'as on the card; tunic: sealed'
//	COMMENT 'tunic: order family line'
//
// The mark may be in letters of either case. A comment that speaks to tunic and
// cannot be read is an error: what it was to protect is not known.
func Annotation(comment string) (n Note, found bool, err error) {
	own, note := cutAnnotation(comment)
	if note == "" {
		if mentionsMark(own) || lacksColon(own) {
			return Note{}, false, errMark
		}
		return Note{}, false, nil
	}
	if mentionsMark(own) {
		return Note{}, false, ErrTwice
	}
	n, err = parseNote(note[len(annotationMark):])
	return n, err == nil, err
}

// Unannotated is a comment without the annotation behind it, and without the semicolon between them;
// "" where nothing is left, or where the rest would be taken for one.
func Unannotated(comment string) string {
	own, _ := cutAnnotation(comment)
	own = strings.TrimRight(own, "; \t\r\n")
	if mentionsMark(own) || lacksColon(own) {
		return ""
	}
	return own
}

// MayAnnotate reports whether an annotation could be in an SQL text, a misspelt one too: whether
// it has the word, with backslashes in it or without. It is true of many texts that have none.
func MayAnnotate(text []byte) bool {
	if bytes.IndexByte(text, '\\') >= 0 {
		text = bytes.ReplaceAll(text, []byte{'\\'}, nil)
	}
	return bytes.Contains(bytes.ToLower(text), []byte(annotationWord))
}

// cutAnnotation cuts a comment before its annotation; note is empty without one.
func cutAnnotation(comment string) (own, note string) {
	for rest, at := comment, 0; ; {
		if trimmed := strings.TrimLeft(rest, " \t\r\n"); hasMark(trimmed) {
			return comment[:at], trimmed
		}
		i := strings.IndexByte(rest, ';')
		if i < 0 {
			return comment, ""
		}
		rest, at = rest[i+1:], at+i+1
	}
}

func hasMark(s string) bool {
	return len(s) >= len(annotationMark) && strings.EqualFold(s[:len(annotationMark)], annotationMark)
}

// mentionsMark reports whether the mark stands anywhere as a word of its own: a
// slip of the pen that would leave a column unprotected is not to pass for prose.
func mentionsMark(s string) bool {
	lower := strings.ToLower(s)
	for at := 0; ; {
		i := strings.Index(lower[at:], annotationMark)
		if i < 0 {
			return false
		}
		if at += i; at == 0 || !isLetter(lower[at-1]) {
			return true
		}
		at += len(annotationMark)
	}
}

// lacksColon reports whether a part of a comment is an annotation but for its colon,
// as "tunic order" and "tunic = sealed" are.
func lacksColon(comment string) bool {
	for part := range strings.SplitSeq(comment, ";") {
		part = strings.TrimSpace(part)
		if len(part) <= len(annotationWord) || !strings.EqualFold(part[:len(annotationWord)], annotationWord) {
			continue
		}
		rest := strings.TrimLeft(part[len(annotationWord):], " \t\r\n=-:")
		if _, err := parseNote(rest); err == nil && len(rest) < len(part)-len(annotationWord) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
