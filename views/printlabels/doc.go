// Package printlabels has the screens that print labels: the one that prints the labels of
// a request or of the last receipt (screen.go), and the label queue (queue.go).
//
// Printing adds labels to the queue on disk, so nobody waits for a printer. The program
// sends them in the background, and Watch warns about those that are not printed
// (watch.go).
package printlabels

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/labels"
	"bincard/views/session"
)

// Register adds the screens if this terminal prints labels.
func Register(r *tui.Registry, site *session.Site) {
	if site.Labels() == nil {
		return
	}

	r.AddEntry(tui.Entry{
		Pattern: labels.QueueRoute,
		Label:   i18n.Text("Labels: print again, not printed"),
		Factory: queueList(site),
	})
	r.AddEntry(tui.Entry{
		Pattern: labels.ReceivedRoute,
		Label:   i18n.Text("Print the labels of the last receipt"),
		Factory: receivedScreen(site),
		Denied: func(tui.Env) string {
			if len(site.Received()) == 0 {
				return site.T().Get("Nothing was received on this terminal since it started")
			}
			return ""
		},
	})

	r.Add(labels.Pattern, "", requestScreen(site))
}
