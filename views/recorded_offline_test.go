package views_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/testenv"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// TestOfflineScans_AreRecorded runs the cases of TestScans_AreRecorded on a terminal with a
// node that is connected, disconnected and restarted at random, and loses answers. At the
// end the node syncs. The service must then have recorded what the screen showed, also if
// others changed the stock meanwhile, or have refused it.
func TestOfflineScans_AreRecorded(t *testing.T) {
	t.Parallel()
	runRecorded(t, testenv.RecordedOfflineScans, withNode)
}

// withNode returns what sets a case up on a terminal with a node.
func withNode(t *testing.T) func(*recordedCase) {
	h := viewtest.NewWarehouse(t)
	node := viewtest.NewNode(t, h.World, h.Proxy)
	site := &offlineSite{node: node, t: t}
	h.Site = h.SiteOf(site)
	reg := jobRegistry(h)
	return func(c *recordedCase) {
		site.up, site.changed, site.synced = true, nil, true
		c.Warehouse, c.reg, c.site = h, reg, site
	}
}

// An offlineSite is the service of a terminal: a node that sends each write at once while
// it is connected. The methods do nothing if it is nil.
type offlineSite struct {
	node    *viewtest.Node
	t       *testing.T
	up      bool
	synced  bool
	changed func()          // what others change meanwhile
	before  map[string]bool // the operations of earlier cases
}

func (s *offlineSite) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	res, err := s.node.Do(ctx, req)
	if s.up && req.Spec.Writes() {
		s.node.Sync()
	}
	return res, err
}

// ledger returns what has the movements of the case.
func (s *offlineSite) ledger(c *recordedCase) api.Service {
	if s == nil || s.synced {
		return c.World.Service
	}
	return s.node
}

// others says what others may do before the node syncs.
func (s *offlineSite) others(change func()) {
	if s != nil {
		s.changed = change
	}
}

// begin starts a case with what the service has.
func (s *offlineSite) begin(c *recordedCase) {
	if s == nil {
		return
	}
	s.connect(c)
	s.before = map[string]bool{}
	for _, op := range s.node.Operations() {
		s.before[op.Key] = true
	}
	s.synced = false
	s.change(c)
}

// change connects, disconnects or restarts the node at random.
func (s *offlineSite) change(c *recordedCase) {
	if s == nil || !c.chance(4) {
		return
	}
	switch {
	case c.chance(3):
		c.note("restart the node")
		s.node.Restart()
	case s.up:
		c.note("disconnect")
		s.up = false
		s.node.Disconnect()
	default:
		c.note("connect")
		s.connect(c)
	}
}

// connect connects the node after a while, and syncs.
func (s *offlineSite) connect(c *recordedCase) {
	s.up = true
	c.Clock.Advance(time.Minute)
	s.node.Connect()
}

// operations returns the operations of the case.
func (s *offlineSite) operations() []outbox.Operation {
	return slices.DeleteFunc(s.node.Operations(), func(op outbox.Operation) bool { return s.before[op.Key] })
}

// sync connects the node and requires that the service has recorded what the node
// predicted, and that each other operation is refused.
func (s *offlineSite) sync(c *recordedCase) {
	if s == nil {
		return
	}
	predicted, asPredicted := movementTexts(c.recorded()), true
	if !s.up && s.changed != nil && c.chance(3) {
		before := map[api.ID]bool{}
		for _, m := range c.movementsAt(c.World.Service) {
			before[m.ID] = true
		}
		c.note("others change it meanwhile")
		s.changed()
		for _, m := range c.movementsAt(c.World.Service) {
			if !before[m.ID] {
				c.known[m.ID], c.changed, asPredicted = true, true, false
			}
		}
	}
	for _, op := range s.operations() {
		if op.Risk != nil {
			c.note("%s is at risk: %v", op.SpecID, op.Risk)
			asPredicted = false
		}
		if op.State.Open() && c.chance(3) {
			c.note("lose the answer of %s", op.SpecID)
			c.Proxy.LoseAnswers(&api.Spec{ID: op.SpecID}, 1)
		}
	}
	c.note("sync")
	s.synced = true
	for open := true; open; {
		s.connect(c)
		open = false
		for _, op := range s.operations() {
			switch op.State {
			case outbox.Done:
				c.require(op.Confirmed, "%s is not confirmed", op.SpecID)
			case outbox.Refused, outbox.Held:
				c.note("%s is %s: %v", op.SpecID, op.State, op.Refusal)
				c.partly, asPredicted = true, false
				require.NoError(s.t, s.node.Discard(s.t.Context(), op.Key, "Ada", "another did it", false))
				open = true
			case outbox.Discarded:
			default:
				c.note("%s is %s", op.SpecID, op.State)
				open = true
			}
		}
	}
	if asPredicted {
		recorded := movementTexts(c.recorded())
		c.require(slices.Equal(predicted, recorded), "predicted\n%s\nrecorded\n%s", strings.Join(predicted, "\n"), strings.Join(recorded, "\n"))
	}
}

// movementTexts describes movements without what a node cannot predict.
func movementTexts(list []api.Movement) (out []string) {
	for _, m := range list {
		lot, serials := "", []string{}
		if m.Lot != nil {
			lot = m.Lot.LotCode
		}
		for _, s := range m.Serials {
			serials = append(serials, s.SerialNumber)
		}
		slices.Sort(serials)
		out = append(out, fmt.Sprint(m.Operation, " ", m.InventoryState, " ", m.Quantity, " ", m.Product.SKU, " ", m.LocationID, " lot ", lot, serials, string(m.Metadata)))
	}
	slices.Sort(out)
	return out
}
