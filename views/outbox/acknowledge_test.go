package outbox_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/views/outbox"
)

// A damagedService reports damage until it is acknowledged.
type damagedService struct {
	api.Service
	by []string // who acknowledged it
}

func (s *damagedService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.AcknowledgeDamage.Spec {
		s.by = append(s.by, req.Operator)
	}
	res, err := s.Service.Do(ctx, req)
	if err == nil && req.Spec == api.GetSync.Spec && s.by == nil {
		st := *res.Output.(*api.Sync)
		st.Alarms, st.Troubles = []api.SyncAlarm{api.AlarmDamage}, []string{"work.journal: some of it is damaged."}
		res = &api.Response{Output: &st}
	}
	return res, err
}

func TestList_AcknowledgesDamage(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	svc := &damagedService{Service: b.node}
	d := b.Terminal(svc, "sync", outbox.Register)
	d.Size(40, 8).Sees("▸ saved work damaged", "work.journal").Lacks("synced").Size(80, 24)
	d.Sees("some of it is damaged", "acknowledge").Key("ctrl+a").Sees("Did you compare recent work with the stock?")
	d.Key("esc").Sees("some of it is damaged")
	require.Empty(t, svc.by)
	d.Key("ctrl+a").Key("enter").Sees("The damage is acknowledged").Lacks("some of it is damaged")
	require.Equal(t, []string{"Ada"}, svc.by)
	d.Key("ctrl+a").Sees("Nothing is damaged.")
}
