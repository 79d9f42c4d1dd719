package panel

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// A lotDate is a counted lot with the expiration date of its label.
type lotDate struct {
	item      api.ID
	lot       string
	expiresAt time.Time
}

func lotDateOf(l *count.Line) lotDate { return lotDate{l.Item.ID, l.Count.Lot, l.Count.ExpiresAt} }

// lotDates compares the dates of the counted lots with those that the service recorded when it
// received the lots before.
type lotDates struct {
	counted []lotDate // when compared last
}

// wrongDateMsg says that a lot is recorded with another date.
type wrongDateMsg struct {
	of  lotDate
	err error
}

// compare compares what has been counted since the last time. If the service cannot be asked,
// it refuses a wrong date when the count is recorded.
func (d *lotDates) compare(env tui.Env, site *session.Site, lines []*count.Line) tea.Cmd {
	before := d.counted
	d.counted = nil
	var news []lotDate
	for _, l := range lines {
		x := lotDateOf(l)
		if x.lot == "" || x.expiresAt.IsZero() || l.Count.LotID != api.NoID {
			continue
		}
		if d.counted = append(d.counted, x); !slices.Contains(before, x) {
			news = append(news, x)
		}
	}

	if len(news) == 0 || !site.Supports(api.ListLots.Spec) {
		return nil
	}

	return env.Do(func(ctx context.Context) tea.Msg {
		for _, x := range news {
			lots, err := session.Call(ctx, site, api.ListLots, api.ListLotsInput{ProductID: x.item, LotCode: x.lot})
			if err != nil {
				return nil
			}
			for i := range lots.Items {
				if err := lots.Items[i].CheckExpiry(x.expiresAt); err != nil && lots.Items[i].LotCode == x.lot {
					return wrongDateMsg{x, err}
				}
			}
		}

		return nil
	})
}

// show says which date is wrong, unless the lot was corrected or is being recorded meanwhile.
func (m wrongDateMsg) show(p *CountPanel) tea.Cmd {
	at := slices.IndexFunc(p.Lines, func(l *count.Line) bool { return lotDateOf(l) == m.of })
	if at < 0 || p.HasSubmission() {
		return nil
	}

	key, correct := p.Lines[at].Key, p.lotAction()
	open := correct.Run
	correct.Run = func() tea.Cmd {
		p.selectLine(key)
		return open()
	}

	return fail(submit.UserMessage(p.T(), m.err), correct)
}
