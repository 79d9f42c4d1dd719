package export

import (
	"time"

	"bincard/server/api"
)

// Entries are the columns of movements as a balance, a lot or a piece has them.
var Entries = []Column[api.Movement]{
	{Name: "id", Of: func(m *api.Movement) string { return m.ID.String() }, Plain: true},
	{Name: "createdAt", Of: func(m *api.Movement) string { return m.CreatedAt.Format(time.RFC3339Nano) }, Plain: true},
	{Name: "productSku", Of: func(m *api.Movement) string {
		if m.Product == nil {
			return ""
		}
		return m.Product.SKU
	}},
	{Name: "locationCode", Of: func(m *api.Movement) string { return code(m.Location) }},
	{Name: "ownerCode", Of: func(m *api.Movement) string { return code(m.Owner) }},
	{Name: "channelCode", Of: func(m *api.Movement) string { return code(m.Channel) }},
	{Name: "operation", Of: func(m *api.Movement) string { return string(m.Operation) }, Plain: true},
	{Name: "inventoryState", Of: func(m *api.Movement) string { return string(m.InventoryState) }, Plain: true},
	{Name: "quantity", Of: func(m *api.Movement) string { return decimal(m.Quantity) }, Plain: true},
	{Name: "balanceBefore", Of: func(m *api.Movement) string { return decimal(m.BalanceBefore) }, Plain: true},
	{Name: "balanceAfter", Of: func(m *api.Movement) string { return decimal(m.BalanceAfter) }, Plain: true},
	{Name: "lotCode", Of: func(m *api.Movement) string {
		if m.Lot == nil {
			return ""
		}
		return m.Lot.LotCode
	}},
	{Name: "serialNumbers", Of: func(m *api.Movement) string {
		text := ""
		for i, s := range m.Serials {
			if i > 0 {
				text += " "
			}
			text += s.SerialNumber
		}
		return text
	}},
	{Name: "referenceType", Of: func(m *api.Movement) string { return m.ReferenceType }},
	{Name: "referenceId", Of: func(m *api.Movement) string { return m.ReferenceID }},
	{Name: "reason", Of: func(m *api.Movement) string { return m.Reason }},
	{Name: "createdBy", Of: func(m *api.Movement) string {
		if m.CreatedBy == nil {
			return ""
		}
		return m.CreatedBy.Label
	}},
	{Name: "actorType", Of: func(m *api.Movement) string { return string(m.Actor.Type) }, Plain: true},
	{Name: "actorLabel", Of: func(m *api.Movement) string { return m.Actor.Label }},
}

func code(ref *api.PlaceRef) string {
	if ref == nil {
		return ""
	}
	return ref.Code
}
