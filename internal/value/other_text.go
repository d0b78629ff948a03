package value

// appendOtherText appends values that are sent as they are kept.
func appendOtherText(dst []byte, _ *Type, canonical []byte, _ *Env) []byte {
	return append(dst, canonical...)
}
