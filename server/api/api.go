// Package api is the contract of the inventory ledger service: its resources,
// the operations that change and read them, the rules of their inputs, and the
// errors they return.
//
// Every operation is declared once, in a typed table. Its [Spec] describes it for
// all other packages, which range over [Operations] instead of listing operations
// themselves. A caller writes
//
//	out, err := api.ReceiveInbound.Call(ctx, svc, api.ReceiveInboundInput{...})
//
// and gets a typed output from any [Service]: the ledger in the same process, the
// client of a remote service, or an offline node.
package api

import (
	"time"

	"github.com/google/uuid"
)

// ID identifies a resource. The zero ID means "none".
type ID = uuid.UUID

// NoID is the zero ID.
var NoID ID

// MaxQuantity is the largest quantity: the largest integer that every JSON
// reader represents exactly.
const MaxQuantity = 1<<53 - 1

// Environment separates live stock from test stock. The API key determines it.
type Environment string

const (
	Live Environment = "live"
	Test Environment = "test"
)

// Values lists the environments.
func (Environment) Values() []string { return []string{string(Live), string(Test)} }

// Instant truncates t to the precision of the service: UTC, whole milliseconds.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
