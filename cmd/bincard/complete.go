package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/server/api"
	"bincard/views/dock"
)

// completeTimeout is how long a shell waits for names.
const completeTimeout = 500 * time.Millisecond

// A refFinder finds references, each with a description.
type refFinder func(ctx context.Context, site *dock.Site, prefix string) ([]string, error)

// complete returns references to the shell, unless that takes too long.
func complete(find refFinder) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		got := make(chan []string, 1)
		go func() {
			var names []string
			_ = withSite(cmd, func(ctx context.Context, at cliContext) error {
				ctx, cancel := context.WithTimeout(ctx, completeTimeout)
				defer cancel()
				list, err := find(ctx, at.site, prefix)
				names = list
				return err
			})
			got <- names
		}()
		select {
		case names := <-got:
			var fit []string
			for _, n := range names {
				if strings.HasPrefix(strings.ToLower(n), strings.ToLower(prefix)) {
					fit = append(fit, n)
				}
			}
			return fit, cobra.ShellCompDirectiveNoFileComp
		case <-time.After(completeTimeout + 200*time.Millisecond):
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

func inboundRefs(ctx context.Context, site *dock.Site, _ string) (names []string, err error) {
	rows, _, err := site.Inbounds(ctx, site.Location())
	for _, in := range rows {
		names = append(names, dock.InboundName(&in)+describeProduct(in.Product))
	}
	return names, err
}

func outgoingTransferRefs(ctx context.Context, site *dock.Site, _ string) ([]string, error) {
	rows, _, err := site.Departures(ctx, site.Location())
	return transferRefs(rows), err
}

func incomingTransferRefs(ctx context.Context, site *dock.Site, _ string) ([]string, error) {
	rows, _, err := site.Arrivals(ctx, site.Location())
	return transferRefs(rows), err
}

func transferRefs(rows []api.Transfer) (names []string) {
	for _, t := range rows {
		names = append(names, dock.TransferName(&t)+describeProduct(t.Product))
	}
	return names
}

func outboundRefs(ctx context.Context, site *dock.Site, _ string) (names []string, err error) {
	rows, _, err := site.Outbounds(ctx, site.Location())
	for _, o := range rows {
		names = append(names, dock.OutboundName(&o)+"\t"+o.CustomerName)
	}
	return names, err
}

// balanceRefs returns products, or locations after a product.
func balanceRefs(ctx context.Context, site *dock.Site, prefix string) (names []string, err error) {
	if sku, _, placed := strings.Cut(prefix, "@"); placed {
		places, err := site.Locations(ctx)
		for _, p := range places {
			names = append(names, sku+"@"+p.Code+"\t"+p.Name)
		}
		return names, err
	}
	rows, _, err := site.Products(ctx)
	for _, p := range rows {
		name := p.SKU
		if here := site.Location(); here.IsSet() {
			name += "@" + here.Code
		}
		names = append(names, name+"\t"+p.Name)
	}
	return names, err
}

// describeProduct returns the description of a completion.
func describeProduct(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return "\t" + ref.SKU + " " + ref.Name
}
