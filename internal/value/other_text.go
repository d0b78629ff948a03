package value

// appendOtherText appends values that are sent as they are kept.
func appendOtherText(dst []byte, t *Type, canonical []byte, _ *Env) []byte {
	if t.Kind == UUID || t.Kind == INET4 || t.Kind == INET6 {
		return appendAddressText(dst, t.Kind, canonical)
	}
	return append(dst, canonical...)
}
