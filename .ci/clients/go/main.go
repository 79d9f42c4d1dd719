// The program clients runs the README's first hour with a generated client. The test that
// generates the client says how; see cmd/bincard/e2e.
package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/google/uuid"

	"clients/bincard"
)

func main() {
	if err := run(context.Background(), os.Getenv("BINCARD_URL"), os.Getenv("BINCARD_ORG"), os.Getenv("BINCARD_KEY")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("done")
}

func run(ctx context.Context, url, organization, key string) error {
	org, err := uuid.Parse(organization)
	if err != nil {
		return err
	}

	c, err := bincard.NewClientWithResponses(url, bincard.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+key)
		return nil
	}))
	if err != nil {
		return err
	}

	metadata := map[string]any{"color": "white", "sizes": []any{1, 2}, "origin": map[string]any{"country": "SE"}}
	product, err := c.CreateProductWithResponse(ctx, org, &bincard.CreateProductParams{IdempotencyKey: "p-1"},
		bincard.CreateProductInput{Sku: "OAT-1L", Name: "Oat milk 1 l", Metadata: &metadata})
	if err != nil || product.JSON201 == nil {
		return fmt.Errorf("create a product: %w: %s", err, product.Body)
	}

	location, err := c.CreateLocationWithResponse(ctx, org, &bincard.CreateLocationParams{IdempotencyKey: "l-1"},
		bincard.CreateLocationInput{Code: "WH-1", Name: "Main warehouse", Type: bincard.Warehouse})
	if err != nil || location.JSON201 == nil {
		return fmt.Errorf("create a location: %w: %s", err, location.Body)
	}

	inbound, err := c.CreateInboundWithResponse(ctx, org, &bincard.CreateInboundParams{IdempotencyKey: "i-1"},
		bincard.CreateInboundInput{ProductId: product.JSON201.Id, LocationId: location.JSON201.Id, ExpectedQuantity: 12})
	if err != nil || inbound.JSON201 == nil {
		return fmt.Errorf("create an inbound: %w: %s", err, inbound.Body)
	}
	if err := receive(ctx, c, org, inbound.JSON201.Inbound.Id, metadata); err != nil {
		return err
	}

	return changes(ctx, c, org)
}

// receive receives five of twelve twice with the same key, and then too many.
func receive(ctx context.Context, c *bincard.ClientWithResponses, org, inbound uuid.UUID, metadata map[string]any) error {
	lot := "L-1"
	var first []byte
	for range 2 {
		res, err := c.ReceiveInboundWithResponse(ctx, org, inbound, &bincard.ReceiveInboundParams{IdempotencyKey: "r-1"},
			bincard.ReceiveInboundInput{Quantity: 5, LotCode: &lot, Metadata: &metadata})
		if err != nil || res.JSON200 == nil {
			return fmt.Errorf("receive: %w: %s", err, res.Body)
		}
		if b := res.JSON200.Balance; b.OnHand != 5 || b.Incoming != 7 {
			return fmt.Errorf("%d are on hand and %d incoming", b.OnHand, b.Incoming)
		}
		if m := res.JSON200.Movements[0].Metadata; m == nil || fmt.Sprint(*m) != fmt.Sprint(metadata) {
			return fmt.Errorf("the metadata is %v", m)
		}
		if first == nil {
			first = res.Body
		} else if !bytes.Equal(first, res.Body) {
			return fmt.Errorf("the first answer was %s, the second is %s", first, res.Body)
		}
	}

	res, err := c.ReceiveInboundWithResponse(ctx, org, inbound, &bincard.ReceiveInboundParams{IdempotencyKey: "r-2"}, bincard.ReceiveInboundInput{Quantity: 8})
	if err != nil || res.JSON409 == nil {
		return fmt.Errorf("receive too many: %w: %s", err, res.Body)
	}

	reason, err := res.JSON409.Error.ValueByDiscriminator()
	if err != nil {
		return err
	}
	if e, ok := reason.(bincard.QuantityExceedsPendingError); !ok || e.Details.Pending != 7 {
		return fmt.Errorf("too many are refused with %s", res.Body)
	}

	return nil
}

// changes reads the feed, which has the four writes.
func changes(ctx context.Context, c *bincard.ClientWithResponses, org uuid.UUID) error {
	after, wait := int64(0), int64(25)
	res, err := c.ListChangesWithResponse(ctx, org, &bincard.ListChangesParams{After: &after, Wait: &wait})
	if err != nil || res.JSON200 == nil {
		return fmt.Errorf("read the changes: %w: %s", err, res.Body)
	}

	var keys []string
	for _, item := range res.JSON200.Items {
		keys = append(keys, item.Key)
	}
	if fmt.Sprint(keys) != "[p-1 l-1 i-1 r-1]" {
		return fmt.Errorf("the changes are %v", keys)
	}

	return nil
}
