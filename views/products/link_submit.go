package products

import (
	"errors"
	"strconv"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// maxInPackage is the largest quantity of a package that can be typed. A larger number is
// a barcode that was scanned into the prompt.
const maxInPackage = 1_000_000

// chosen asks how many the package with the barcode holds. It retries a link that brought
// no answer.
func (l *link) chosen(p *api.Product) tea.Cmd {
	t := l.site.T()
	switch {
	case l.submission.Unfinished():
		return l.submission.Send(l.screen.Env, l.site)
	case p.Status == api.Archived:
		return tui.Fail(t.NewError("%s is archived. Choose another product.", p.SKU))
	}

	one := "1"
	if isPackaging(l.code) {
		one = ""
	}

	product := *p

	return tui.Prompt(
		tui.Request{
			Text:   t.Get("How many %s does this barcode stand for? Type 1 for a single item.", product.SKU),
			Value:  one,
			Check:  func(text string) error { _, err := packageQuantity(t, text); return err },
			OnText: func(text string) tea.Cmd { n, _ := packageQuantity(t, text); return l.confirm(&product, n) },
		},
	)
}

// packageQuantity returns the typed quantity of a package.
func packageQuantity(t *i18n.Translator, text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > maxInPackage {
		return 0, t.NewError("Type how many, from 1 to %s", t.Count(maxInPackage))
	}
	return n, nil
}

func (l *link) confirm(p *api.Product, n int64) tea.Cmd {
	t := l.site.T()
	text := t.Get("Link %s to a package of %s × %s (%s)?", l.code, t.Count(n), p.SKU, p.Name)
	if n == 1 {
		text = t.Get("Link %s to %s (%s)?", l.code, p.SKU, p.Name)
	}

	return tui.Confirm(
		tui.Question{Text: widget.Clean(text), Yes: t.GetC("link", "action"), No: t.Get("back"), OnYes: func() tea.Cmd {
			step, err := linkStep(t, l.code, p.ID, p.SKU, n)
			if err != nil {
				return tui.Fail(err)
			}
			l.submission = submit.New(step)
			return l.submission.Send(l.screen.Env, l.site)
		}},
	)
}

// update handles the answer to the link. The screen closes once the barcode is linked.
func (l *link) update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	a, ok := msg.(submit.Answer)
	if !ok || !l.submission.Awaits(a) {
		return nil, ok
	}

	t := l.site.T()
	err := l.submission.Answered(a)
	switch state := l.submission.State(); {
	case err != nil && state == submit.Unknown:
		return tui.Fail(t.NewError("No answer. Link it again (enter); it is done only once.")), true
	case err != nil && state == submit.Idle:
		l.submission = nil
		return tui.Fail(
			t.NewError("Not linked: the service cannot be reached. Link it again in a moment (enter).")), true
	}

	l.submission = nil
	var e *api.Error
	switch {
	case errors.As(err, &e):
		return tui.Fail(errors.New(submit.UserMessage(t, err)), conflictActions(t)(e)...), true
	case err != nil:
		return tui.Fail(errors.New(submit.UserMessage(t, err))), true
	}

	p := a.Response.Output.(*api.Product)
	l.site.RemoveUnknownCode(l.code)
	text := t.Get("%s is linked to %s. Scan it again.", l.code, p.SKU)
	if a.Response.CommittedBy != "" {
		text = t.Get("Saved, not synced. %s", text)
	}

	return tea.Batch(tui.Toast(text), tui.Accepted(), tui.Back()), true
}
