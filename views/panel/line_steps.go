package panel

import (
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/submit"
)

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
