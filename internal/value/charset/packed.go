package charset

import (
	"bytes"
	"compress/gzip"
	"io"
)

// unpacked is the text of a table that a test has written from the servers, "" before there is one. It is
// part of the program: what cannot be read is a mistake of whoever built it.
func unpacked(file string, compressed []byte) string {
	if len(compressed) == 0 {
		return ""
	}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic("charset: " + file + ": " + err.Error())
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic("charset: " + file + ": " + err.Error())
	}
	return string(text)
}
