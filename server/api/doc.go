// Package api is the contract of the inventory ledger service: its resources,
// the operations that change and read them, the rules of their inputs, and the
// errors they return.
//
// Every operation is declared once, in a typed table: its [Spec] holds all that other
// packages need to know about it, so that they range over [Operations] and keep no
// lists of their own. A caller writes
//
//	out, err := api.ReceiveInbound.Call(ctx, svc, api.ReceiveInboundInput{...})
//
// and gets a typed output from any Service: the ledger in the same process, the
// client of a remote service, or an offline node.
package api
