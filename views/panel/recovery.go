package panel

import (
	"errors"
	"net/url"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// recoveryActions returns what can be done about a rejected scan or quantity.
func (p *CountPanel) recoveryActions(err error, r *count.Label) []tui.Action {
	t, l := p.T(), p.Line()
	var many *count.OverReceiptError
	var lot *count.OtherLotError
	switch {
	case errors.As(err, &many) && l.Stock.Waiting > 0 && p.Job.Waiting != nil:
		return p.Job.Waiting()
	case errors.As(err, &many) && p.Document.AllowOverReceipt && !l.BySerial() && len(l.Count.Serials) == 0:
		return []tui.Action{p.acceptOverReceipt(many)}
	case errors.As(err, &lot) && r != nil && l.CheckBookable(t) == nil: // record the counted lot first
		verb := p.Job.verb(t)

		return []tui.Action{{ID: "panel.lot.record", Key: "f8", Short: verb,
			Label: t.Get("%s %s, then count this lot", verb, t.Count(l.Count.Quantity)),
			Help:  t.Get("Record the counted lot, then count this scan"), Run: func() tea.Cmd {
				if len(p.Lines) > 1 && r.HasNoCode() && p.Line().Remaining() == 0 {
					return p.bookBefore(nil, false) // it would become the lot of another line
				}
				return p.bookBefore(&r.Scan, false)
			}}}
	}

	return nil
}

// implausible is the multiple of what is to go above which a quantity is asked about
// again: it may be a typing error.
const implausible = 10

// acceptOverReceipt counts the excess as over-receipt, which needs a reason, once for a count,
// and a supervisor unless the operator's role allows it.
func (p *CountPanel) acceptOverReceipt(e *count.OverReceiptError) tui.Action {
	t, l := p.T(), p.Line()

	extra, total := t.Get("accept %s extra", t.Count(e.Over)), l.Limit()+e.Over
	ask := func() tea.Cmd {
		approvedBy := p.Env.ApprovedBy()
		accept := func(reason string) tea.Cmd {
			at := lineIndex(p.Lines, l.Key)
			if at < 0 {
				return fail(t.Get("%s is not on the document anymore. Nothing was counted.", l.Item.SKU))
			}

			p.beginChange()
			p.Current = at
			result := p.AcceptOverReceipt(e, reason, approvedBy)
			if result.Err != nil {
				return tui.Fail(result.Err, p.recoveryActions(result.Err, nil)...)
			}

			return tea.Batch(tui.Accepted(), p.changed(*result.Entry))
		}
		if reason := p.Line().Count.OverReason; reason != "" && !e.Instead {
			return accept(reason)
		}

		return tui.Prompt(tui.Request{Text: t.Get("Accept %s extra? Reason", t.Count(e.Over)),
			Check: CheckReason(t), OnText: accept})
	}

	run := ask
	if total > implausible*max(1, l.Pending) {
		run = func() tea.Cmd {
			return tui.Confirm(tui.Question{Yes: extra, No: t.Get("back"), OnYes: ask,
				Text: t.Get("%s is more than ten times the %s to go. Is that right?",
					t.Count(total), t.Count(l.Pending))})
		}
	}

	return tui.Action{ID: "panel.over", Key: "f8", Label: extra, Short: t.Get("extra"), Run: run,
		Needs: []tui.Need{{Permission: tui.MayOverReceive, Change: e.Over, Recorded: l.Pending}},
		Help:  t.Get("Receive the extra quantity as stock outside the document"),
		Approve: func() string {
			return t.Get("accept %s extra of %s (%s)", t.Count(e.Over), l.Item.SKU, p.Document.Name)
		}}
}

// fail shows what went wrong, as tui.Fail does.
func fail(text string, actions ...tui.Action) tea.Cmd { return tui.Fail(errors.New(text), actions...) }

// FailScan shows why a scan means nothing. It offers to link an unknown code to a product.
func FailScan(site *session.Site, err error) tea.Cmd {
	return fail(submit.UserMessage(site.T(), err), LinkActions(site, err)...)
}

// LinkActions offers to link the code of an UnknownItemError to a product.
func LinkActions(site *session.Site, err error) []tui.Action {
	var unknown *session.UnknownItemError
	if !errors.As(err, &unknown) {
		return nil
	}
	return LinkCodeActions(site, unknown.Code)
}

// LinkCodeActions offers to link an unknown code to a product, where barcodes can be
// linked.
func LinkCodeActions(site *session.Site, code string) []tui.Action {
	if code == "" || site.Denied(api.LinkBarcode.Spec) != "" {
		return nil
	}
	t := site.T()
	return []tui.Action{{ID: "panel.link", Key: "f8",
		Label: t.Get("link to a product"), Short: t.GetC("link", "action"),
		Help: t.Get("Link the code to a product, as its barcode"),
		Run:  tui.Opens(LinkRoute(code))}}
}

// LinkRoute returns the route of the screen that links a barcode to a product.
func LinkRoute(code string) string { return "products/link?code=" + url.QueryEscape(code) }

// UnlinkRoute returns the route of the screen that unlinks a barcode from a product.
func UnlinkRoute(sku string) string { return "products/unlink?sku=" + url.QueryEscape(sku) }

// ShelfAction opens the form for the shelves of an item at the location.
func ShelfAction(site *session.Site, item count.Item) tui.Action {
	t, here := site.T(), site.Location()
	query := url.Values{
		"id":      {item.ID.String()},
		"sku":     {item.SKU},
		"shelves": {strings.Join(item.ShelvesAt(here.ID), ", ")},
	}

	return tui.Action{ID: "panel.shelf", Key: "ctrl+d", Label: t.Get("shelf"), NoFooter: true,
		Help: t.Get("Say on which shelf it is here"),
		Disabled: func() string {
			if !here.IsSet() {
				return t.Get("Choose your location first (F6 on the home screen)")
			}
			return site.Denied(api.SetShelves.Spec)
		},
		Run: tui.Opens("products/shelf?" + query.Encode())}
}

// unknownCodeActions records the code of an UnknownCodeError at a line, and offers to link it,
// and the list of unknown codes. The code at an item by serial is a serial number.
func (p *CountPanel) unknownCodeActions(err error) []tui.Action {
	var unknown *count.UnknownCodeError
	if !errors.As(err, &unknown) {
		return nil
	}

	p.Site.AddUnknownCode(unknown.Code, widget.Clean(p.Document.Name), p.Env.Now())
	if p.Line().BySerial() {
		return []tui.Action{UnknownCodesAction(p.T())}
	}

	return append(LinkCodeActions(p.Site, unknown.Code), UnknownCodesAction(p.T()))
}

// UnknownCodesAction returns the action that opens the list of unknown codes.
func UnknownCodesAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "panel.unknown", Key: "f11",
		Label: t.Get("unknown codes"), Short: t.Get("codes"), Help: t.Get("Show the unknown codes of this shift"),
		Run: tui.Opens("unknown")}
}
