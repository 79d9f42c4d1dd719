package offline

import (
	"context"

	"bincard/server/api"
)

// A nodeOp performs an operation that only a node has.
type nodeOp func(*Node, context.Context, *api.Request) (any, error)

// nodeOps are those of api.NodeOperations().
var nodeOps = map[string]nodeOp{}

func init() {
	registerOp(api.GetSync, func(n *Node, _ context.Context, _ *api.Request, _ *api.SyncInput) (*api.Sync, error) {
		return n.Sync(), nil
	})
	registerOp(api.TrySync, func(n *Node, _ context.Context, _ *api.Request, _ *api.SyncInput) (*api.Sync, error) {
		n.Resume()
		return n.Sync(), nil
	})
	registerOp(api.ListWork, (*Node).listWork)
}

func registerOp[I, O any](op api.Operation[I, O], fn func(*Node, context.Context, *api.Request, *I) (*O, error)) {
	nodeOps[op.Spec.ID] = func(n *Node, ctx context.Context, req *api.Request) (any, error) {
		return fn(n, ctx, req, req.Input.(*I))
	}
}

// doNodeOp performs one of nodeOps after checking the caller's scope.
func (n *Node) doNodeOp(ctx context.Context, req *api.Request, op nodeOp) (*api.Response, error) {
	local := n.withCaller(req)
	if !local.Caller.May(req.Spec.Scope) {
		return nil, api.Fail(api.InsufficientScope, api.Details{"requiredScope": req.Spec.Scope},
			"This needs the %s scope, which the key does not have.", req.Spec.Scope)
	}
	if err := api.Check(req.Input); err != nil {
		return nil, err
	}

	out, err := op(n, ctx, local)
	if err != nil {
		return nil, err
	}

	return &api.Response{Output: out}, nil
}
