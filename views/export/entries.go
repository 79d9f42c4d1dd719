package export

import (
	"time"

	"bincard/server/api"
	"bincard/views/names"
)

// EntryColumns are the columns of the movements of a balance, lot or serial.
var EntryColumns = []Column[api.Movement]{
	{Name: "id", Value: func(m *api.Movement) string { return m.ID.String() }, Literal: true},
	{Name: "createdAt", Value: func(m *api.Movement) string { return m.CreatedAt.Format(time.RFC3339Nano) }, Literal: true},
	{Name: "productSku", Value: func(m *api.Movement) string {
		if m.Product == nil {
			return ""
		}
		return m.Product.SKU
	}},
	{Name: "locationCode", Value: func(m *api.Movement) string { return names.LocationCode(m.Location) }},
	{Name: "ownerCode", Value: func(m *api.Movement) string { return names.LocationCode(m.Owner) }},
	{Name: "channelCode", Value: func(m *api.Movement) string { return names.LocationCode(m.Channel) }},
	{Name: "operation", Value: func(m *api.Movement) string { return string(m.Operation) }, Literal: true},
	{Name: "inventoryState", Value: func(m *api.Movement) string { return string(m.InventoryState) }, Literal: true},
	{Name: "quantity", Value: func(m *api.Movement) string { return formatInt(m.Quantity) }, Literal: true},
	{Name: "balanceBefore", Value: func(m *api.Movement) string { return formatInt(m.BalanceBefore) }, Literal: true},
	{Name: "balanceAfter", Value: func(m *api.Movement) string { return formatInt(m.BalanceAfter) }, Literal: true},
	{Name: "lotCode", Value: func(m *api.Movement) string {
		if m.Lot == nil {
			return ""
		}
		return m.Lot.LotCode
	}},
	{Name: "serialNumbers", Value: func(m *api.Movement) string {
		text := ""
		for i, s := range m.Serials {
			if i > 0 {
				text += " "
			}
			text += s.SerialNumber
		}
		return text
	}},
	{Name: "referenceType", Value: func(m *api.Movement) string { return m.ReferenceType }},
	{Name: "referenceId", Value: func(m *api.Movement) string { return m.ReferenceID }},
	{Name: "reason", Value: func(m *api.Movement) string { return m.Reason }},
	{Name: "createdBy", Value: func(m *api.Movement) string {
		if m.CreatedBy == nil {
			return ""
		}
		return m.CreatedBy.Label
	}},
	{Name: "actorType", Value: func(m *api.Movement) string { return string(m.Actor.Type) }, Literal: true},
	{Name: "actorLabel", Value: func(m *api.Movement) string { return m.Actor.Label }},
}
