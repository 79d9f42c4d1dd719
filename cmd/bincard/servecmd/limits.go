package servecmd

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/httpapi"
)

// connectionFlags adds the flags for the connections of a service. check returns an error
// if one is invalid.
func connectionFlags(cmd *cobra.Command, cfg *httpapi.ServeConfig) (check func() error) {
	f := cmd.Flags()
	var proxies []string
	f.IntVar(&cfg.MaxConnections, "max-connections", 4096,
		"maximum open connections; at the limit the one that is idle for longest is closed")
	f.IntVar(&cfg.MaxPerAddress, "max-connections-per-address", 0,
		"maximum open connections from one address, except trusted proxies; 0 for 256, and no limit from this machine")
	f.StringSliceVar(&proxies, "trusted-proxy", nil,
		"address or network (10.0.0.0/8) of a proxy, whose connections are for many clients; may be repeated")
	f.StringVar(&cfg.AdminAddr, "admin-addr", "",
		"HOST:PORT for /healthz, /readyz and /metrics, which answers under any load; /metrics is then only there")

	return func() error {
		if cfg.MaxConnections < 1 || cfg.MaxPerAddress < 0 {
			return cli.UsageErrorf("--max-connections must be at least 1, and --max-connections-per-address at least 0")
		}
		if cfg.AdminAddr != "" {
			if _, _, err := net.SplitHostPort(cfg.AdminAddr); err != nil {
				return cli.UsageErrorf("--admin-addr must be HOST:PORT, not %q", cfg.AdminAddr)
			}
		}

		for _, text := range proxies {
			p, err := parseNetwork(text)
			if err != nil {
				return cli.UsageErrorf("--trusted-proxy must be an address or a network like 10.0.0.0/8, not %q", text)
			}
			cfg.TrustedProxies = append(cfg.TrustedProxies, p)
		}

		return nil
	}
}

// parseNetwork parses an address or a network.
func parseNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		p, err := netip.ParsePrefix(text)
		return p.Masked(), err
	}

	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("parse network: %w", err)
	}

	return addr.Prefix(addr.BitLen())
}

// longPollFlags adds the flags for the open long polls.
func longPollFlags(cmd *cobra.Command, perOrg, perKey *int) (check func() error) {
	cmd.Flags().IntVar(perOrg, "long-polls-per-org", 256, "maximum open long polls of an organization")
	cmd.Flags().IntVar(perKey, "long-polls-per-key", 64, "maximum open long polls of a key")
	return func() error {
		if *perOrg < 1 || *perKey < 1 {
			return cli.UsageErrorf("--long-polls-per-org and --long-polls-per-key must be at least 1")
		}
		return nil
	}
}
