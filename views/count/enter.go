package count

import (
	"bincard/tui/i18n"
)

// Enter counts c on an empty line, or everything pending if all is set, and checks that
// it can be booked.
func (l *Line) Enter(t *i18n.Translator, c Count, all bool) error {
	if c.Lot == l.Announced.LotCode && c.ExpiresAt.IsZero() {
		c.ExpiresAt = l.announcedExpiry()
	}
	if err := l.SetLot(t, c.Lot, c.ExpiresAt); err != nil {
		return err
	}
	for _, serial := range c.Serials {
		if err := l.AddSerial(t, serial); err != nil {
			return err
		}
	}

	switch n := int64(len(c.Serials)); {
	case n > 0 && c.Quantity > 0 && n != c.Quantity:
		return t.NewError(
			"There are %s serial numbers for %s items. Enter one for each item.",
			t.Count(n),
			t.Count(c.Quantity),
		)
	case n > 0:
	case all && l.Pending == 0:
		return t.NewError(
			"Not recorded: it is already done, or not ready yet. Check the lines, or go back (esc).",
		)
	case l.BySerial() && all && l.Item.InCatalog:
		return t.NewError("%s is serialized. Enter the serial number of each item.", l.Item.SKU)
	case all:
		l.Count.Quantity = l.Pending
	default:
		if err := l.Set(t, c.Quantity); err != nil {
			return err
		}
	}

	for _, serial := range c.DamagedSerials {
		if err := l.ToggleDamagedSerial(t, serial); err != nil {
			return err
		}
	}

	if len(c.DamagedSerials) == 0 && c.Damaged > 0 {
		if err := l.SetDamaged(t, c.Damaged); err != nil {
			return err
		}
	}

	switch {
	case l.Count.Damaged > 0:
		l.Count.DamageCause = c.DamageCause
	case c.DamageCause != "":
		return t.NewError("There is a cause of damage, but nothing damaged. Enter the damaged quantity too.")
	}

	return l.CheckBookable(t)
}
