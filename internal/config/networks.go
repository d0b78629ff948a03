package config

import (
	"fmt"
	"net/netip"
	"strings"
)

// networksTarget is a list of networks and addresses, with commas between them.
type networksTarget struct{ networks *[]netip.Prefix }

func (t networksTarget) form() string { return "NETWORK[,NETWORK]" }

func (t networksTarget) set(text string) error {
	var list []netip.Prefix
	for part := range strings.SplitSeq(text, ",") {
		network, ok := parseNetwork(strings.TrimSpace(part))
		if !ok {
			return fmt.Errorf("%s is not a network such as 10.1.0.0/16, or an address", quote(strings.TrimSpace(part)))
		}
		list = append(list, network)
	}
	*t.networks = list
	return nil
}

// parseNetwork reads a network or an address. Bits of a host in a network are a slip: 10.1.2.3/8
// says more than whoever wrote it meant.
func parseNetwork(text string) (netip.Prefix, bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		if address.Zone() != "" {
			return netip.Prefix{}, false
		}
		address = address.Unmap()
		return netip.PrefixFrom(address, address.BitLen()), true
	}
	network, err := netip.ParsePrefix(text)
	return network, err == nil && network == network.Masked() && !network.Addr().Is4In6()
}
