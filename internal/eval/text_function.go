package eval

import (
	"crypto/md5"  //nolint:gosec // its size alone
	"crypto/sha1" //nolint:gosec // its size alone
	"maps"

	"tunic/internal/eval/class"
	"tunic/internal/eval/notation"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// textBuiltins are functions that make text, or read it.
var textBuiltins = map[string]builtin{
	"lpad":            {2, 3, compilePad(true)},
	"rpad":            {2, 3, compilePad(false)},
	"repeat":          {2, 2, compileRepeat},
	"space":           {1, 1, compileSpace},
	"substring_index": {3, 3, compileSubstringIndex},

	"instr":       {2, 2, compileInstr},
	"find_in_set": {2, 2, compileFindInSet},
	"field":       {2, -1, compileWhich},
	"elt":         {2, -1, compileElt},

	"ascii":      {1, 1, compileCode(notation.FirstByte)},
	"ord":        {1, 1, compileCode(notation.FirstChar)},
	"bit_length": {1, 1, compileLength(func(_ *charset.Charset, s []byte) int { return 8 * len(s) })},
	"hex":        {1, 1, compileHex},
	"unhex":      {1, 1, compileUnhex},
	"bin":        {1, 1, compileBase(2)},
	"oct":        {1, 1, compileBase(8)},
	"conv":       {3, 3, compileConv},
	"bit_count":  {1, 1, compileBitCount},
	"format":     {2, 3, compileNumberFormat},
	"quote":      {1, 1, compileQuote},
	"soundex":    {1, 1, compileSoundex},

	"md5":         {1, 1, compileOldHash(md5Digest, md5.Size)},
	"sha":         {1, 1, compileOldHash(sha1Digest, sha1.Size)},
	"sha1":        {1, 1, compileOldHash(sha1Digest, sha1.Size)},
	"sha2":        {2, 2, compileSHA2},
	"crc32":       {1, 1, compileCRC32},
	"to_base64":   {1, 1, compileToBase64},
	"from_base64": {1, 1, compileFromBase64},

	"aes_encrypt": {2, 6, compileAES(false)},
	"aes_decrypt": {2, 6, compileAES(true)},

	"inet_aton":   {1, 1, compileInetAton},
	"inet_ntoa":   {1, 1, compileInetNtoa},
	"inet6_aton":  {1, 1, compileInet6Aton},
	"inet6_ntoa":  {1, 1, compileInet6Ntoa},
	"is_ipv4":     {1, 1, compileIsAddress(notation.IsIPv4)},
	"is_ipv6":     {1, 1, compileIsAddress(notation.IsIPv6)},
	"is_uuid":     {1, 1, compileIsUUID},
	"uuid_to_bin": {1, 2, compileUUIDToBin},
	"bin_to_uuid": {1, 2, compileBinToUUID},
}

func init() { maps.Copy(builtins, textBuiltins) }

// textFunction compiles functions of text with a grammar of their own.
func textFunction(c *compiler, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.LocateExpr:
		return Locate(c, e)
	case *ast.InsertExpr:
		return Insert(c, e)
	case *ast.CharExpr:
		return Char(c, e)
	}
	return regexpFunction(c, e)
}

// TextOf evaluates one node as text, or as bytes, for an operation that the list
// has.
func TextOf(c *compiler, name string, n *program.Node) (program.Evaluator, class.Shape, error) {
	if err := c.allow(name, n); err != nil {
		return nil, class.Shape{}, err
	}
	evs, s, err := Texts(c, name, n)
	if err != nil {
		return nil, s, err
	}
	return evs[0], s, nil
}

// ASCIIShape is the type of what functions write in letters and digits: text of
// the connection, which yields to that of columns.
func ASCIIShape(c *compiler, name string, chars int) (class.Shape, error) {
	s := class.Shape{Class: class.Text, Chars: chars, Collation: c.session.Collation, Coercible: class.CoercibleLiteral}
	if set := s.Collation.Charset; set.BytesMin > 1 || set.Name == "binary" {
		return s, refuse(name + " in " + set.Name)
	}
	return s, nil
}
