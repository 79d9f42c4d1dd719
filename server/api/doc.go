// Package api is the contract of the inventory ledger service: its resources,
// the operations that change and read them, the rules of their inputs, and the
// errors they answer.
//
// Every operation stands once, in a typed table. A caller writes
//
//	out, err := api.ReceiveInbound.Call(ctx, svc, api.ReceiveInboundInput{...})
//
// and gets its output typed, whatever Service it talks to: the ledger in the
// same process, the client of a remote one, or an offline node.
package api
