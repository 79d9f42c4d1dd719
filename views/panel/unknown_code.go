package panel

import (
	"errors"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// FailScan shows why a scan means nothing. It offers to link an unknown code to a product.
func FailScan(site *session.Site, err error) tea.Cmd {
	return tui.Fail(errors.New(submit.UserMessage(site.T(), err)), LinkActions(site, err)...)
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
	return []tui.Action{{ID: "panel.link", Keys: []string{"f8"}, Label: t.Get("link to a product"), Short: t.GetC("link", "action"),
		Help: t.Get("Link the code to a product, as its barcode"), Run: func() tea.Cmd { return tui.Open(LinkRoute(code)) }}}
}

// LinkRoute returns the route of the screen that links a barcode to a product.
func LinkRoute(code string) string { return "products/link?code=" + url.QueryEscape(code) }

// UnlinkRoute returns the route of the screen that unlinks a barcode from a product.
func UnlinkRoute(sku string) string { return "products/unlink?sku=" + url.QueryEscape(sku) }

// unknownCodeActions records the code of an UnknownCodeError and offers to link it, and
// the list of unknown codes. The code at an item by serial is a serial number.
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
	return tui.Action{ID: "panel.unknown", Keys: []string{"f11"}, Label: t.Get("unknown codes"), Short: t.Get("codes"), Help: t.Get("Show the unknown codes of this shift"),
		Run: func() tea.Cmd { return tui.Open("unknown") }}
}
