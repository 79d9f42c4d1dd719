package export

import (
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/names"
	"bincard/views/stocktext"
)

type movement = api.Movement

// EntryColumns are the columns of the movements of a balance, lot or serial.
var EntryColumns = []Column[movement]{
	Time("createdAt", func(m *movement) time.Time { return m.CreatedAt }),
	Text("productSku", func(m *movement) string {
		if m.Product == nil {
			return ""
		}
		return m.Product.SKU
	}),
	Text("locationCode", func(m *movement) string { return names.LocationCode(m.Location) }),
	Text("ownerCode", func(m *movement) string { return names.LocationCode(m.Owner) }),
	Text("channelCode", func(m *movement) string { return names.LocationCode(m.Channel) }),
	Literal("operation", func(m *movement) string { return string(m.Operation) }),
	Literal("inventoryState", func(m *movement) string { return string(m.InventoryState) }),
	Number("quantity", func(m *movement) int64 { return m.Quantity }),
	Number("balanceBefore", func(m *movement) int64 { return m.BalanceBefore }),
	Number("balanceAfter", func(m *movement) int64 { return m.BalanceAfter }),
	Text("lotCode", func(m *movement) string {
		if m.Lot == nil {
			return ""
		}
		return m.Lot.LotCode
	}),
	Time("expiresAt", func(m *movement) time.Time {
		if m.Lot == nil {
			return time.Time{}
		}
		return timeOf(m.Lot.ExpiresAt)
	}),
	Text("serialNumbers", func(m *movement) string {
		numbers := make([]string, len(m.Serials))
		for i := range m.Serials {
			numbers[i] = m.Serials[i].SerialNumber
		}
		return strings.Join(numbers, " ")
	}),
	Text("document", func(m *movement) string { return stocktext.Document(m.ReferenceType, m.ReferenceID) }),
	Text("reason", func(m *movement) string { return m.Reason }),
	Text("operator", func(m *movement) string {
		operator, _, _ := m.Who()
		return operator
	}),
	Text("approvedBy", func(m *movement) string {
		_, supervisor, _ := m.Who()
		return supervisor
	}),
	Text("device", func(m *movement) string {
		_, _, device := m.Who()
		return device
	}),
	Literal("actorType", func(m *movement) string { return string(m.Actor.Type) }),
	Text("actorLabel", func(m *movement) string { return m.Actor.Label }),
	Text("referenceType", func(m *movement) string { return m.ReferenceType }),
	Text("referenceId", func(m *movement) string { return m.ReferenceID }),
	Literal("id", func(m *movement) string { return m.ID.String() }),
	Time("occurredAt", func(m *movement) time.Time { return m.OccurredAt }),
}
