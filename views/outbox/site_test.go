package outbox_test

import (
	"context"
	"slices"
	"testing"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/outbox"
	"bincard/views/session"
)

// A waitingService makes all work of a node wait for another site.
type waitingService struct{ api.Service }

func (s waitingService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := s.Service.Do(ctx, req)
	if list, ok := req.Spec.NewOutput().(*api.List[api.Work]); err == nil && ok {
		list.Items = slices.Clone(res.Output.(*api.List[api.Work]).Items)
		for i := range list.Items {
			w := &list.Items[i]
			w.State, w.Wait = api.WorkSent, api.WaitOtherSite
			w.Refusal = &api.WorkRefusal{Code: api.NothingPending, Message: "Nothing is pending."}
		}
		res = &api.Response{Output: list}
	}
	return res, err
}

// Work that waits for another site is no decision: the screens say what it waits for.
func TestWork_WaitsForAnotherSite(t *testing.T) {
	t.Parallel()
	f := newSyncFixture(t)
	f.node.Disconnect()
	f.receive(48)
	f.Clock.Set(tuitest.Noon)
	svc := waitingService{f.node}

	d := f.Terminal(svc, "sync", outbox.Register)
	d.Sees("waits for a site", "The service lost work of another site")
	d.Key("enter").Sees("It is sent when another site has sent its work again")

	site := session.NewSite(session.Options{Service: svc, Translator: german(t), Settings: f.Settings, Now: f.Clock.Now})
	r := tui.NewRegistry()
	outbox.Register(r, site)
	tuitest.New(t, shell.Options{Registry: r, Translator: german(t), Start: []string{"sync"}}).Sees("wartet auf Standort")
}
