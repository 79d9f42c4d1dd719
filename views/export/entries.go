package export

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/names"
	"bincard/views/stocktext"
)

// EntryColumns are the columns of the movements of a balance, lot or serial.
var EntryColumns = []Column[api.Movement]{
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
	{Name: "expiresAt", Literal: true, Value: func(m *api.Movement) string {
		if m.Lot == nil {
			return ""
		}
		return formatTime(m.Lot.ExpiresAt)
	}},
	{Name: "serialNumbers", Value: func(m *api.Movement) string {
		numbers := make([]string, len(m.Serials))
		for i := range m.Serials {
			numbers[i] = m.Serials[i].SerialNumber
		}
		return strings.Join(numbers, " ")
	}},
	{Name: "document", Value: func(m *api.Movement) string { return stocktext.Document(m.ReferenceType, m.ReferenceID) }},
	{Name: "reason", Value: func(m *api.Movement) string { return m.Reason }},
	{Name: "operator", Value: func(m *api.Movement) string {
		operator, _, _ := m.Who()
		return operator
	}},
	{Name: "approvedBy", Value: func(m *api.Movement) string {
		_, supervisor, _ := m.Who()
		return supervisor
	}},
	{Name: "device", Value: func(m *api.Movement) string {
		_, _, device := m.Who()
		return device
	}},
	{Name: "actorType", Value: func(m *api.Movement) string { return string(m.Actor.Type) }, Literal: true},
	{Name: "actorLabel", Value: func(m *api.Movement) string { return m.Actor.Label }},
	{Name: "referenceType", Value: func(m *api.Movement) string { return m.ReferenceType }},
	{Name: "referenceId", Value: func(m *api.Movement) string { return m.ReferenceID }},
	{Name: "id", Value: func(m *api.Movement) string { return m.ID.String() }, Literal: true},
	{Name: "occurredAt", Value: func(m *api.Movement) string { return formatOccurred(m.OccurredAt) }, Literal: true},
}
