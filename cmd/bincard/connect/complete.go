package connect

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/server/api"
	"bincard/views/names"
	"bincard/views/session"
)

// completeTimeout limits how long a shell completion takes.
const completeTimeout = 500 * time.Millisecond

// A RefFinder returns the references to complete, each followed by a tab and a
// description.
type RefFinder func(ctx context.Context, site *session.Site, prefix string) ([]string, error)

// Complete returns a shell completion of the first argument. After completeTimeout it
// completes nothing.
func Complete(find RefFinder) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}

		got := make(chan []string, 1)
		go func() {
			var names []string
			_ = WithSite(cmd, func(ctx context.Context, at Connection) error {
				ctx, cancel := context.WithTimeout(ctx, completeTimeout)
				defer cancel()
				list, err := find(ctx, at.Site, prefix)
				names = list
				return err
			})

			got <- names
		}()

		select {
		case names := <-got:
			var matches []string
			for _, n := range names {
				if strings.HasPrefix(strings.ToLower(n), strings.ToLower(prefix)) {
					matches = append(matches, n)
				}
			}

			return matches, cobra.ShellCompDirectiveNoFileComp

		case <-time.After(completeTimeout + 200*time.Millisecond):
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

// InboundRefs completes the references of the open inbounds at the location.
func InboundRefs(ctx context.Context, site *session.Site, _ string) (refs []string, err error) {
	rows, _, err := site.Inbounds(ctx, site.Location())
	for _, in := range rows {
		refs = append(refs, names.Inbound(&in)+describeProduct(in.Product))
	}
	return refs, err
}

// OutgoingTransferRefs completes the references of the transfers to ship from the location.
func OutgoingTransferRefs(ctx context.Context, site *session.Site, _ string) ([]string, error) {
	rows, _, err := site.Departures(ctx, site.Location())
	return transferRefs(rows), err
}

// IncomingTransferRefs completes the references of the transfers to receive at the location.
func IncomingTransferRefs(ctx context.Context, site *session.Site, _ string) ([]string, error) {
	rows, _, err := site.Arrivals(ctx, site.Location())
	return transferRefs(rows), err
}

func transferRefs(rows []api.Transfer) (refs []string) {
	for _, t := range rows {
		refs = append(refs, names.Transfer(&t)+describeProduct(t.Product))
	}
	return refs
}

// OutboundRefs completes the references of the open outbounds at the location.
func OutboundRefs(ctx context.Context, site *session.Site, _ string) (refs []string, err error) {
	rows, _, err := site.Outbounds(ctx, site.Location())
	for _, o := range rows {
		refs = append(refs, names.Outbound(&o)+"\t"+o.CustomerName)
	}
	return refs, err
}

// BalanceRefs completes SKU@LOCATION: products before the @, locations after it.
func BalanceRefs(ctx context.Context, site *session.Site, prefix string) (refs []string, err error) {
	if sku, _, hasAt := strings.Cut(prefix, "@"); hasAt {
		locations, err := site.Locations(ctx)
		for _, l := range locations {
			refs = append(refs, sku+"@"+l.Code+"\t"+l.Name)
		}
		return refs, err
	}

	rows, _, err := site.Products(ctx)
	for _, p := range rows {
		name := p.SKU
		if here := site.Location(); here.IsSet() {
			name += "@" + here.Code
		}
		refs = append(refs, name+"\t"+p.Name)
	}

	return refs, err
}

// ProductSKUs completes the SKUs of the products.
func ProductSKUs(ctx context.Context, site *session.Site, _ string) (refs []string, err error) {
	rows, _, err := site.Products(ctx)
	for _, p := range rows {
		refs = append(refs, p.SKU+"\t"+p.Name)
	}
	return refs, err
}

// LocationCodes completes the codes of the locations.
func LocationCodes(ctx context.Context, site *session.Site, _ string) (refs []string, err error) {
	locations, err := site.Locations(ctx)
	for _, l := range locations {
		refs = append(refs, l.Code+"\t"+l.Name)
	}
	return refs, err
}

// DocumentRefs completes the references of all open documents at the location.
func DocumentRefs(ctx context.Context, site *session.Site, prefix string) (refs []string, err error) {
	for _, find := range []RefFinder{InboundRefs, OutboundRefs, OutgoingTransferRefs, IncomingTransferRefs} {
		list, err := find(ctx, site, prefix)
		if err != nil {
			return nil, err
		}
		refs = append(refs, list...)
	}

	return refs, nil
}

// describeProduct returns a tab and the product's description, or "" without a product.
func describeProduct(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return "\t" + ref.SKU + " " + ref.Name
}
