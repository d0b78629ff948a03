package config

import "errors"

// tokenBytesMin is the length of the shortest token of the status: nobody guesses one over
// a network.
const tokenBytesMin = 16

// ReadToken reads a file that holds the token of the status. The error is an *Error of kind
// BadValue.
func ReadToken(path, flag string) (Secret, error) {
	token, err := readPassword(path, flag)
	if mistake, ok := errors.AsType[*Error](err); ok {
		mistake.Kind = BadValue
		return token, mistake
	}
	if err == nil && len(token.Reveal()) < tokenBytesMin {
		err = &Error{
			Kind: BadValue, Setting: flag, Problem: "holds a token of less than 16 characters",
			Fix: "write a longer one, such as openssl rand -hex 16 prints",
		}
	}
	return token, err
}
