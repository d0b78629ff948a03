// Package proxy makes what stands at the server for the labels and literals of a definition, which say what is in
// its columns: labels of ENUM and SET as many and as long, all different; literals of the same sort that say
// nothing. Literals are put back into what the server shows. The package knows no table and no server.
package proxy
