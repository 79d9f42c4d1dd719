package apitest

import (
	"crypto/ed25519"
	"encoding/hex"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/api/role"
)

var operatorTests = []test{
	{"operators: create, change, remove", operatorLifecycle},
	{"operators: names and badges are unique", operatorsUnique},
	{"operators: validation", operatorsValidated},
	{"removed operator: work needs a proven approval", operatorRemoved},
	{"key of a role: approvals are checked", approvalsChecked},
	{"key of a role: limits are of quantities", limitsChecked},
	{"key of a role: a proof is of one write", proofOfOneWrite},
	{"key of a role: the organization's rules", roleRules},
	{"key of a role: operators", roleManagesNoOperators},
}

// A person is an operator with the private key that proves it.
type person struct {
	api.Operator
	key ed25519.PrivateKey
}

// person creates an operator with a badge or, for a text of digits, with a PIN.
func (k *fixture) person(name string, is api.Role, secret string) person {
	k.Helper()
	in := api.CreateOperatorInput{Name: name, Role: is}
	if secret[0] <= '9' {
		in.PIN = api.NewPIN(secret)
		p := person{Operator: do(k, api.CreateOperator, in)}
		p.key = p.OpenPIN(secret)
		require.NotNil(k, p.key)
		return p
	}
	in.Badge = api.NewBadge(k.Orgs[0].ID, secret)
	p := person{Operator: do(k, api.CreateOperator, in)}
	p.key = p.OpenBadge(secret)
	require.NotNil(k, p.key)
	return p
}

// proven returns the options of a write that a person proves: as its operator, or as who approves
// the work of another.
func proven[I, O any](k *fixture, op api.Operation[I, O], in I, p person, operator string) []api.Option {
	k.Helper()
	req := &api.Request{Spec: op.Spec, Input: &in, IdempotencyKey: api.NewKey(), Operator: operator}
	if operator != p.Name {
		req.ApprovedBy = p.Name
	}
	req.Prove(k.Orgs[0].ID, api.Live, p.key)
	return []api.Option{api.Key(req.IdempotencyKey), api.Proof(req.Proof), api.By(operator), api.ApprovedBy(req.ApprovedBy)}
}

// worker returns the fixture with a key that is bound to the role worker.
func (k *fixture) worker() *fixture {
	k.Helper()
	return k.as(k.AsRole(0, api.Live, api.Worker))
}

func operatorLifecycle(k *fixture) {
	badge := api.NewBadge(k.Orgs[0].ID, "ADA-0042")
	ada := do(k, api.CreateOperator, api.CreateOperatorInput{Name: " Ada ", Role: api.Worker, Badge: badge, Language: "de"}, api.By("Eve"))
	require.Equal(k, api.Operator{ID: ada.ID, OrganizationID: k.Orgs[0].ID, Environment: api.Live, Name: "Ada", Role: api.Worker,
		Language: "de", Badge: badge, Version: 1, CreatedAt: k.Now(), UpdatedAt: k.Now()}, ada)
	require.NotNil(k, ada.OpenBadge("ada-0042"))
	require.Nil(k, ada.OpenBadge("ADA-0043"))
	require.Nil(k, ada.OpenPIN("1234"))

	pin := api.NewPIN("1234")
	require.NotEqual(k, pin, api.NewPIN("1234"), "the salt differs")
	changed := do(k, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ada.ID, PIN: pin, Role: api.Supervisor}, api.IfMatch(1))
	require.Equal(k, []any{"Ada", api.Supervisor, badge, pin, int64(2)}, []any{changed.Name, changed.Role, changed.Badge, changed.PIN, changed.Version})
	require.NotNil(k, changed.OpenPIN("1234"))
	require.Nil(k, changed.OpenPIN("4321"))
	k.requireDetails(mustFail(k, api.VersionConflict, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ada.ID, Role: api.Worker}, api.IfMatch(1)), "version", 2)

	do(k, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ada.ID, Removed: ptr(true)})
	list := do(k, api.ListOperators, api.ListOperatorsInput{}).Items
	require.Len(k, list, 1)
	require.True(k, list[0].Removed, "a removed operator is known by name")
	require.False(k, do(k, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ada.ID, Removed: ptr(false)}).Removed)
	mustFail(k, api.NotFound, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: newID(), Name: "Ben"})
	for _, other := range []*fixture{k.as(k.As(0, api.Test)), k.as(k.As(1, api.Live))} {
		require.Empty(k, do(other, api.ListOperators, api.ListOperatorsInput{}).Items)
	}
}

func operatorsUnique(k *fixture) {
	ada, ben := k.person("Ada", api.Worker, "ADA-0042"), k.person("Ben", api.Worker, "BEN-0044")
	e := mustFail(k, api.AlreadyExists, api.CreateOperator, api.CreateOperatorInput{Name: "ADA", Role: api.Worker, Badge: api.NewBadge(k.Orgs[0].ID, "X-0001")})
	k.requireDetails(e, "field", "name", "operatorId", ada.ID)
	e = mustFail(k, api.AlreadyExists, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ben.ID, Badge: ada.Badge})
	k.requireDetails(e, "field", "badge", "operatorId", ada.ID)
	do(k, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ada.ID, Removed: ptr(true)})
	do(k, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ben.ID, Badge: ada.Badge})
	e = mustFail(k, api.AlreadyExists, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ada.ID, Removed: ptr(false)})
	k.requireDetails(e, "field", "badge", "operatorId", ben.ID)
}

func operatorsValidated(k *fixture) {
	e := mustFail(k, api.ValidationError, api.CreateOperator, api.CreateOperatorInput{Name: "Ada, approved by Eve", Role: "chief"})
	require.ElementsMatch(k, []string{"name", "role", "badge"}, k.invalidFields(e))
	for _, bad := range []string{"ADA-0042", hex.EncodeToString(make([]byte, 40)), "zzz"} {
		e = mustFail(k, api.ValidationError, api.CreateOperator, api.CreateOperatorInput{Name: "Ada", Role: api.Worker, Badge: bad, PIN: bad})
		require.Equal(k, []string{"badge", "pin"}, k.invalidFields(e), bad)
	}
}

func operatorRemoved(k *fixture) {
	ben, eve, ada := k.person("Ben", api.Worker, "BEN-0044"), k.person("Eve", api.Supervisor, "4711"), k.person("Ada", api.Worker, "ADA-0042")
	in := adjust(k.oats, k.wh, api.OnHand, 5)
	do(k, api.AdjustStock, in, api.By("Ben"))
	do(k, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: ben.ID, Removed: ptr(true)})
	e := mustFail(k, api.ApprovalRequired, api.AdjustStock, in, api.By("ben"))
	require.Equal(k, "Ben's badge was revoked. A supervisor must approve this work.", e.Message)
	k.requireDetails(e, "removed", "Ben")
	mustFail(k, api.ApprovalRequired, api.AdjustStock, in, api.By("Ben"), api.ApprovedBy("Eve"))
	mustFail(k, api.ApprovalRequired, api.AdjustStock, in, proven(k, api.AdjustStock, in, ben, "Ben")...)
	mustFail(k, api.ApprovalRequired, api.AdjustStock, in, proven(k, api.AdjustStock, in, ada, "Ben")...)
	require.Equal(k, "Eve", do(k, api.AdjustStock, in, proven(k, api.AdjustStock, in, eve, "Ben")...).Movements[0].ApprovedBy.Label)
	do(k, api.AdjustStock, in, api.By("Somebody"))
	require.EqualValues(k, 15, k.quantities(k.oats, k.wh).OnHand)
}

func approvalsChecked(k *fixture) {
	eve, ada := k.person("Eve", api.Supervisor, "EVE-0043"), k.person("Ada", api.Worker, "ADA-0042")
	w := k.worker()
	in := api.InboundInput{InboundID: k.inbound(k.oats, 4).ID}
	e := mustFail(w, api.ApprovalRequired, api.CancelInbound, in, api.By("Ada"))
	k.requireDetails(e, "permission", role.MayCancel)
	require.Contains(k, e.Message, "supervisor")
	mustFail(w, api.ApprovalRequired, api.CancelInbound, in, api.By("Ada"), api.ApprovedBy("Eve"))
	mustFail(w, api.ApprovalRequired, api.CancelInbound, in, api.By("Eve"))
	mustFail(w, api.ApprovalRequired, api.CancelInbound, in, proven(k, api.CancelInbound, in, ada, "Ada")...)
	mustFail(w, api.ApprovalRequired, api.CancelInbound, in, proven(k, api.CancelInbound, in, person{Operator: eve.Operator, key: ada.key}, "Ada")...)
	mustFail(w, api.ApprovalRequired, api.CancelInbound, in, append(proven(k, api.CancelInbound, in, eve, "Ada"), api.Proof("none"))...)
	require.Equal(k, api.InboundCancelled, do(w, api.CancelInbound, in, proven(k, api.CancelInbound, in, eve, "Ada")...).Inbound.Status)

	own := api.InboundInput{InboundID: k.inbound(k.oats, 4).ID}
	do(w, api.CancelInbound, own, proven(k, api.CancelInbound, own, eve, "Eve")...)
	do(k, api.CancelInbound, api.InboundInput{InboundID: k.inbound(k.oats, 4).ID}, api.By("Ada"))
	do(k.as(k.AsRole(0, api.Live, api.Supervisor)), api.CancelInbound, api.InboundInput{InboundID: k.inbound(k.oats, 4).ID})

	k.stock(k.oats, k.wh, 20)
	tr := k.transfer(2)
	for _, err := range []*api.Error{
		mustFail(w, api.ApprovalRequired, api.CloseInbound, api.CloseInboundInput{InboundID: k.inbound(k.oats, 2).ID}),
		mustFail(w, api.ApprovalRequired, api.CancelTransfer, api.TransferInput{TransferID: tr.ID}),
		mustFail(w, api.ApprovalRequired, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "X-1"}),
	} {
		require.NotEmpty(k, err.Details["permission"])
	}
	do(w, api.CreateProduct, api.CreateProductInput{SKU: "NEW", Name: "New"}) // allowed by default
	require.Equal(k, api.Worker, do(w, api.GetAccess, api.GetAccessInput{}).Role)
}

func limitsChecked(k *fixture) {
	w := k.worker()
	k.stock(k.oats, k.wh, 200)
	do(w, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -20)) // 10 %
	k.requireDetails(mustFail(w, api.ApprovalRequired, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -21)), "permission", role.MayAdjust, "change", -21)
	do(w, api.AdjustStock, adjust(k.oats, k.shop, api.OnHand, 10)) // 10 pieces
	mustFail(w, api.ApprovalRequired, api.AdjustStock, adjust(k.oats, k.shop, api.OnHand, 11))
	k.stock(k.oats, k.shop, 10)
	at := api.StockKey{ProductID: k.oats, LocationID: k.shop}
	mustFail(w, api.ApprovalRequired, api.WriteOffStock, api.WriteOffStockInput{StockKey: at, Quantity: ptr(int64(11)), Reason: "wet"})
	do(w, api.ReconcileStock, api.ReconcileStockInput{StockKey: at, CountedQuantity: ptr(int64(99))}) // allowed by default

	k.setRules(api.Rules{OverReceiptPercent: 50, Worker: role.Rules{role.MayOverReceive: "20%"}})
	in := k.inbound(k.oats, 10)
	mustFail(w, api.ApprovalRequired, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 13})
	do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 12})
	e := mustFail(w, api.ApprovalRequired, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(k.oats, 10).ID, Quantity: 15})
	k.requireDetails(e, "change", 5)
}

func proofOfOneWrite(k *fixture) {
	eve := k.person("Eve", api.Supervisor, "EVE-0043")
	w := k.worker()
	in, other := api.InboundInput{InboundID: k.inbound(k.oats, 4).ID}, api.InboundInput{InboundID: k.inbound(k.oats, 4).ID}
	approved := proven(k, api.CancelInbound, in, eve, "Ada")
	mustFail(w, api.ApprovalRequired, api.CancelInbound, other, approved...)
	mustFail(w, api.ApprovalRequired, api.CloseInbound, api.CloseInboundInput{InboundID: in.InboundID}, approved...)
	mustFail(w, api.ApprovalRequired, api.CancelInbound, in, append(approved, api.Key(api.NewKey()))...)
	do(w, api.CancelInbound, in, approved...)
}

func roleRules(k *fixture) {
	w := k.worker()
	k.setRules(api.Rules{Worker: role.Rules{role.MayCancel: "allow", role.MayCount: "approve", role.MayAdjust: "2"}})
	do(w, api.CancelInbound, api.InboundInput{InboundID: k.inbound(k.oats, 4).ID})
	k.stock(k.oats, k.wh, 20)
	mustFail(w, api.ApprovalRequired, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 3))
	at := api.StockKey{ProductID: k.oats, LocationID: k.wh}
	mustFail(w, api.ApprovalRequired, api.ReconcileStock, api.ReconcileStockInput{StockKey: at, CountedQuantity: ptr(int64(19))})
	do(w, api.ReconcileStock, api.ReconcileStockInput{StockKey: at, CountedQuantity: ptr(int64(20))})
}

func roleManagesNoOperators(k *fixture) {
	eve := k.person("Eve", api.Supervisor, "EVE-0043")
	in := api.CreateOperatorInput{Name: "Mallory", Role: api.Supervisor, PIN: api.NewPIN("1234")}
	w := k.worker()
	mustFail(w, api.ApprovalRequired, api.CreateOperator, in)
	mustFail(w, api.ApprovalRequired, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: eve.ID, Removed: ptr(true)})
	ben := k.person("Ben", api.Worker, "BEN-0044")
	up := api.ChangeOperatorInput{OperatorID: ben.ID, Role: api.Supervisor}
	mustFail(w, api.ApprovalRequired, api.ChangeOperator, up, proven(k, api.ChangeOperator, up, ben, "Ben")...)
	do(w, api.CreateOperator, in, proven(k, api.CreateOperator, in, eve, "Eve")...)
}
