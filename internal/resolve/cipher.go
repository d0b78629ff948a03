package resolve

import (
	"tunic/internal/sql/ast"
)

// Ciphers reports whether there is a call of AES_ENCRYPT or AES_DECRYPT in an expression or
// statement that has a key in its words: a literal, a parameter or a user variable behind
// its first argument. The server is not to get it.
func Ciphers(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if f, ok := n.(*ast.FuncExpr); ok && isCipher(f) {
			for _, key := range f.Exprs[min(1, len(f.Exprs)):] {
				found = found || saysValue(key)
			}
		}
		return !found, nil
	}, root)
	return found
}

func isCipher(f *ast.FuncExpr) bool {
	return f.Qualifier.IsEmpty() && (f.Name.EqualString("aes_encrypt") || f.Name.EqualString("aes_decrypt"))
}

// saysValue reports whether an expression has a value in its words.
func saysValue(e ast.Node) (says bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n.(type) {
		case *ast.Literal, *ast.Argument, *ast.IntroducerExpr:
			says = true
		}
		return !says, nil
	}, e)
	return says
}
