package panel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// MoveLine selects the line above or below, to which quantities and lot labels then apply.
// It reports whether k is a key for that.
func (p *CountPanel) MoveLine(k tea.KeyMsg) bool {
	if len(p.Lines) < 2 || p.Modal() {
		return false
	}
	switch k.Type {
	case tea.KeyUp:
		p.Choose(max(0, p.Current-1))
	case tea.KeyDown:
		p.Choose(min(len(p.Lines)-1, p.Current+1))
	default:
		return false
	}
	return true
}

// Choose selects a line for the operator.
func (p *CountPanel) Choose(line int) {
	p.Current, p.completed = line, ""
	p.guard.choose(p.Line())
}

// selectLine selects the line with a key, unless nothing is left on it or there is a draft.
func (p *CountPanel) selectLine(key string) {
	at := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return l.Key == key })
	if at < 0 || p.Snapshot() != nil {
		return
	}
	p.Current = at
	p.SelectOpen()
	p.guard.choose(p.Line())
}

// advance selects the next open line if the current one is counted and can be booked.
func (p *CountPanel) advance() {
	l := p.Line()
	if !p.Job.Advance || p.markingDamaged || l.Remaining() > 0 || l.Count.Quantity == 0 || p.needsLot(l) || p.WantsSerial() || l.CheckBookable(p.T()) != nil {
		return
	}
	if next, _ := p.NextOpen(); next != nil {
		p.Current, p.completed = slices.Index(p.Lines, next), l.Key
		p.guard.see(next, p.Env.Now())
	}
}

// selectRefused selects the line that an error concerns, so that what is entered next
// corrects it. If the error names none, the document that is loaded next tells.
func (p *CountPanel) selectRefused(err error) {
	p.completed, p.refused = "", true
	var e *api.Error
	if !errors.As(err, &e) {
		return
	}
	at := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return isDetail(e.Details["lineId"], l.Key) })
	if at < 0 {
		at = slices.IndexFunc(p.Lines, func(l *count.Line) bool {
			return !l.Count.Empty() && isDetail(e.Details["productId"], l.Item.ID.String())
		})
	}
	if at >= 0 {
		p.Current, p.refused = at, false
	}
}

// isDetail reports whether a detail of an error is an ID. The service encodes it as text.
func isDetail(detail any, id string) bool {
	return detail != nil && strings.EqualFold(fmt.Sprint(detail), id)
}

// selectUnbookable selects the first line that can no longer be booked as it is counted, if
// a booking was refused.
func (p *CountPanel) selectUnbookable() {
	if !p.refused {
		return
	}
	p.refused = false
	if at := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return l.CheckBookable(p.T()) != nil }); at >= 0 {
		p.Current = at
	}
}

// selectUnfinished selects an open line, or else one with a count, unless the current line
// is one.
func (p *CountPanel) selectUnfinished() {
	p.SelectOpen()
	counted := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return !l.Count.Empty() })
	if l := p.Line(); l.Remaining() == 0 && l.Count.Empty() && counted >= 0 {
		p.Current = counted
	}
}

// needsLot reports whether the lot of the counted pieces must be entered yet.
func (p *CountPanel) needsLot(l *count.Line) bool {
	if p.Ships {
		return CheckLot(p.Site, l) != nil
	}
	return p.Incoming && l.ByLot() && l.Count.Lot == "" && l.Count.Quantity > 0
}

// CheckLot returns an error if the lot of the counted pieces, which leave, must be entered by
// the rules of the organization.
func CheckLot(site *session.Site, l *count.Line) error {
	if !site.Rules().RequireLot || !l.ByLot() || l.Count.Lot != "" || l.Count.Quantity == 0 || l.IsPicked() {
		return nil
	}
	return errors.New(site.T().Get("%s is tracked by lot. Scan or type the lot (F7), then try again.", l.Item.SKU))
}

// selectCompleted selects the completed line again. Labels without a product, and damage,
// still are about its pieces, until something is counted on the line after it.
func (p *CountPanel) selectCompleted() {
	if l := lineWithKey(p.Lines, p.completed); l != nil {
		p.Current = slices.Index(p.Lines, l)
		p.guard.choose(l)
	}
}

// isOfCompleted reports whether a label has no product, but the lot of the completed line's
// pieces, or another one that their box may have.
func (p *CountPanel) isOfCompleted(r count.Label) bool {
	l := lineWithKey(p.Lines, p.completed)
	if l == nil || !l.ByLot() || r.Serial != "" {
		return false
	}
	return r.HasNoCode() || l.Count.Lot != "" && slices.Contains(r.Codes, l.Count.Lot)
}

// LineSteps returns the steps that book the counted lines of a delivery. keys are those of
// all its lines, and of returns the steps of the line at an index.
func LineSteps(t *i18n.Translator, keys []string, counted []count.Line, of func(i int, l count.Line) ([]submit.Step, error)) (steps []submit.Step, err error) {
	for i, key := range keys {
		for _, l := range counted {
			if l.Key != key {
				continue
			}
			more, err := of(i, l)
			if err != nil {
				return nil, err
			}
			for k := range more {
				SetLine(t, &more[k], len(keys), key, l.Item.SKU)
			}
			steps = append(steps, more...)
		}
	}
	return steps, nil
}

// SetLine makes a step that of one line, if the delivery has several.
func SetLine(t *i18n.Translator, step *submit.Step, lines int, key, sku string) {
	if lines > 1 {
		step.Line, step.Text = key, t.Get("%s (%s)", step.Text, sku)
	}
}

// LinesToGo says how many lines are to go.
func LinesToGo(t *i18n.Translator, n int) string {
	if n == 1 {
		return t.Get("1 line to go")
	}
	return t.Get("%d lines to go", n)
}
