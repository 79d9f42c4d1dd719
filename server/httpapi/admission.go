package httpapi

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/httpapi/fair"
	"bincard/server/metrics"
)

// What runs at once, by processor. An organization may hold all of it while it is
// alone, and the shares below while others are active.
const (
	// More reads would only make short ones wait for long ones within the Go
	// scheduler, which does not tell organizations apart.
	readsPerProcessor = 1
	// Most writes wait for the flush of their batch, so there must be enough of
	// them to fill one.
	writesPerProcessor = 32

	// bytesPerProcessor is the most that an organization sends or receives in a second
	// while others are active.
	bytesPerProcessor = 16 << 20

	shareOfReads  = 2 // a half: the rest runs what short requests need besides
	shareOfWrites = 4
)

const (
	defaultBodiesPerOrg = 32 << 20
	// bodyWait leaves time to read the body before the server's read timeout.
	bodyWait = 10 * time.Second
)

// bytesPerWrite is the size of the body of a common write. A larger one counts as
// several.
const bytesPerWrite = 4 << 10

// An admission shares what runs at once between organizations. A request joins
// it after authentication and before its body is read. It starts when its body
// has arrived, so that a slow client holds up nobody.
type admission struct {
	joined        *fair.Counter[uuid.UUID]
	limit         int         // of joined
	reads, writes *fair.Queue // nil without limit
	bodies        *fair.Queue // in KB
	waits         *metrics.Histogram
}

func newAdmission(cfg *Config) *admission {
	joined, processors := cfg.MaxConcurrent, cfg.Processors
	bodies := cmp.Or(cfg.MaxBodiesPerOrg, defaultBodiesPerOrg) >> 10
	active := fair.NewActivity()
	a := &admission{
		joined: fair.NewCounter[uuid.UUID](joined),
		limit:  joined,
		bodies: fair.NewQueue(active, 4*bodies, bodies, joined).Always(),
		waits: metrics.NewHistogram("bincard_http_queue_wait_seconds",
			"Time that operations waited for their turn, if they did.", seconds),
	}

	if processors < 0 {
		return a
	}
	if processors == 0 {
		processors = runtime.GOMAXPROCS(0)
	}

	reads, writes := int64(readsPerProcessor*processors), int64(writesPerProcessor*processors)
	rate := int64(bytesPerProcessor * processors)
	a.bodies.Throttle(rate)
	a.reads = fair.NewQueue(active, reads, reads/shareOfReads, joined).Throttle(rate)
	a.writes = fair.NewQueue(active, writes, writes/shareOfWrites, joined)

	return a
}

func (a *admission) collect(p *metrics.Page) {
	a.waits.Collect(p)
	length := 0
	if a.reads != nil {
		length = a.reads.Length() + a.writes.Length()
	}
	p.Gauge("bincard_http_queue_length", "Operations that wait for their turn.", float64(length))
}

// join counts a request of the caller's organization until x.leave.
func (a *admission) join(x *exchange) error {
	if !a.joined.Add(x.caller.Organization) {
		return unavailable(retryCrowded, nil,
			"Too many requests of this organization are in progress (%d). Retry shortly.", a.limit)
	}
	x.admission = a
	return nil
}

// startBody waits until a body of size bytes may be read, unless it is small. done
// is called when it is no longer needed.
func (a *admission) startBody(ctx context.Context, x *exchange, size int64) (done func(), err error) {
	if size < 0 || size > MaxBody {
		size = MaxBody
	}
	if size <= smallTransit {
		return func() {}, nil
	}

	ctx, cancel := context.WithTimeout(ctx, bodyWait)
	defer cancel()
	turn, err := a.bodies.Enter(ctx, x.caller.Organization, x.caller.KeyID, size>>10)
	if err != nil {
		discardBody(x.r)
		return nil, api.Fail(api.RateLimited, api.Details{retryAfter: int64(retryCrowded)},
			"Too many large requests of this organization are in progress. Send fewer at once, and retry shortly.")
	}

	return func() { turn.Leave(size>>10, size) }, nil
}

// start waits for the turn of a request whose body has size bytes.
func (a *admission) start(ctx context.Context, x *exchange, size int) error {
	if a.reads == nil {
		return nil
	}

	q, units := a.reads, int64(1)
	if x.req.Spec.Writes() {
		q, units = a.writes, 1+int64(size/bytesPerWrite)
		x.cost = units
	}

	turn, err := q.Enter(ctx, x.caller.Organization, x.caller.KeyID, units)
	switch {
	case errors.Is(err, fair.ErrFull):
		return unavailable(retryCrowded, nil,
			"Too many requests of this organization are in progress (%d). Retry shortly.", a.limit)
	case err != nil:
		return unavailable(retryBusy, nil,
			"The service is busy, and the request was not performed in time. Retry it with the same Idempotency-Key.")
	}

	x.turn, x.started, x.wait = turn, time.Now(), turn.Waited
	if turn.Waited > 0 {
		a.waits.Observe(turn.Waited.Seconds())
	}

	return nil
}

// pause ends the turn of a request that waits for something to happen.
func (x *exchange) pause() {
	if x.turn == nil {
		return
	}
	if x.cost == 0 { // a read is charged for its time
		x.cost = max(1, int64(time.Since(x.started)))
	}
	x.turn.Leave(x.cost, x.transitBytes)
	x.turn = nil
}

// leave ends the request's turn. It must have its answer by then, because
// sending it may take as long as the client likes.
func (x *exchange) leave() {
	x.pause()
	if x.admission != nil {
		x.admission.joined.Done(x.caller.Organization)
		x.admission = nil
	}
}
