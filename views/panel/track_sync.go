package panel

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// trackEvery is how often the node is asked what became of the feed's operations.
const trackEvery = 2 * time.Second

type (
	trackMsg struct{}
	// trackedMsg has the states of operations by key.
	trackedMsg struct{ states map[string]api.WorkState }
)

// trackSync asks the node for the operations of the feed that were not synced, again and
// again until there are none.
func (p *CountPanel) trackSync() tea.Cmd {
	if p.tracking || !p.feed.unsynced() {
		return nil
	}
	p.tracking = true
	return p.Env.After(trackEvery, func(time.Time) tea.Msg { return trackMsg{} })
}

// readTracked reads the states of the operations.
func (p *CountPanel) readTracked() tea.Cmd {
	var keys []string
	for _, e := range p.feed.entries {
		if e.Sync == count.NotSynced || e.Sync == count.AtRisk {
			keys = append(keys, e.Keys...)
		}
	}
	return p.Env.Do(func(ctx context.Context) tea.Msg {
		m := trackedMsg{map[string]api.WorkState{}}
		for _, key := range keys {
			list, err := session.CallNode(ctx, p.Site, api.ListWork, api.ListWorkInput{Key: key})
			if err == nil && len(list.Items) > 0 {
				m.states[key] = list.Items[0].State
			}
		}
		return m
	})
}

// tracked shows what became of the operations.
func (p *CountPanel) tracked(m trackedMsg) tea.Cmd {
	for i := range p.feed.entries {
		e := &p.feed.entries[i]
		if e.Sync != count.NotSynced && e.Sync != count.AtRisk {
			continue
		}
		done := 0
		for _, key := range e.Keys {
			switch m.states[key] {
			case api.WorkDone:
				done++
			case api.WorkRefused, api.WorkHeld, api.WorkDiscarded, api.WorkReplaced:
				e.Sync = count.Rejected
			case api.WorkWaiting, api.WorkSent:
			}
		}
		if done == len(e.Keys) {
			e.Sync = count.Synced
		}
	}
	p.tracking = false
	return p.trackSync()
}
