package label

import "strings"

// Subject names what the label is of, in any language: "OAT-1L L42-A", "WH-1".
func (l Label) Subject() string {
	parts := []string{l.title()}
	switch l.Kind {
	case KindLot:
		parts = append(parts, l.Lot)
	case KindSerial:
		parts = append(parts, l.Serial)
	case KindCase:
		parts = append(parts, l.Unit, l.Lot)
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}
