package labels

import (
	"bincard/tui/i18n"
	"bincard/views/session"
)

// CountText returns a number of labels: "4 labels".
func CountText(t *i18n.Translator, n int64) string {
	if n == 1 {
		return t.Get("1 label")
	}
	return t.Get("%s labels", t.Count(n))
}

// NoPrinterText says that no printer is set up for the operator's location, and how to set
// one up.
func NoPrinterText(site *session.Site) string {
	t := site.T()
	if at := site.Location().Code; len(site.Labels().Settings.Printers) > 0 && at != "" {
		return t.Get("No label printer is set up for %s. See 'bincard help labels'.", at)
	}
	return t.Get("No label printer is set up. See 'bincard help labels'.")
}
