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
