package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// withClients returns a handler whose requests from trusted proxies have the address of the
// client, which is empty if the proxy does not tell it.
func withClients(h http.Handler, proxies []netip.Prefix) http.Handler {
	trusted := func(ip netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
	}

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if proxy, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && trusted(proxy.Addr().Unmap()) {
			r.RemoteAddr = forwardedFor(r.Header, trusted)
		}
		h.ServeHTTP(w, r)
	})
}

// forwardedFor returns the last address that is not a trusted proxy's. A client can write what
// it wants before it.
func forwardedFor(h http.Header, trusted func(netip.Addr) bool) (client string) {
	list := h["X-Forwarded-For"]
	if len(list) == 0 {
		list = h["Forwarded"]
	}

	for _, hop := range slices.Backward(strings.Split(strings.Join(list, ","), ",")) {
		ip, err := parseHop(hop)
		if err != nil {
			return ""
		}
		if client = netip.AddrPortFrom(ip, 0).String(); !trusted(ip) {
			break
		}
	}

	return client
}

// parseHop parses an address, with or without a port, or an element of Forwarded.
func parseHop(text string) (netip.Addr, error) {
	for part := range strings.SplitSeq(text, ";") {
		if name, value, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(name), "for") {
			text = value
		}
	}

	text = strings.Trim(text, " \t\"")
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap(), nil
	}

	ip, err := netip.ParseAddr(strings.Trim(text, "[]"))

	return ip.Unmap(), err
}
