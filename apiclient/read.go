package apiclient

import (
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/api"
)

// read decodes an answer to an operation.
func (c *Client) read(spec *api.Spec, ans *answer) (*api.Response, error) {
	if ans.status < 200 || ans.status > 299 {
		return nil, c.errorFrom(ans)
	}
	if ans.status == http.StatusAccepted {
		if e := warningFrom(ans); e != nil {
			return nil, e
		}
	}

	if !isJSON(ans) {
		return nil, c.foreignAnswer(ans, nil)
	}
	if err := checkMembers(ans.body, spec.Output()); err != nil {
		return nil, c.foreignAnswer(ans, err)
	}

	out := spec.NewOutput()
	if err := json.Unmarshal(ans.body, out, lenient); err != nil {
		return nil, c.foreignAnswer(ans, err)
	}

	return &api.Response{Output: out, Replayed: strings.EqualFold(ans.header.Get("Idempotent-Replayed"), "true"),
		CommittedBy: ans.header.Get("Bincard-Commit")}, nil
}

func isJSON(ans *answer) bool {
	media, _, _ := mime.ParseMediaType(ans.header.Get("Content-Type"))
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// warningFrom returns the warning about a write that an edge saved at risk, which is an
// error in this program, or nil if the answer has none.
func warningFrom(ans *answer) error {
	var body struct {
		Warning struct {
			Code      api.Code       `json:"code"`
			Message   string         `json:"message"`
			RequestID string         `json:"requestId"`
			Details   jsontext.Value `json:"details"`
		} `json:"warning"`
	}

	if err := json.Unmarshal(ans.body, &body, lenient); err != nil || body.Warning.Code != api.AtRisk {
		return nil
	}

	w := body.Warning

	return &api.Error{Code: w.Code, Message: w.Message, RequestID: w.RequestID, Details: details(w.Details)}
}

// foreignAnswer returns the error for an answer that is not from the service.
func (c *Client) foreignAnswer(ans *answer, cause error) error {
	what := "a " + ans.header.Get("Content-Type") + " page"
	if ans.header.Get("Content-Type") == "" {
		what = "no content type"
	}
	if cause != nil {
		what = "unexpected JSON (" + cause.Error() + ")"
	}

	return unavailable(
		Unknown,
		&api.ForeignAnswer{Status: ans.status, Text: excerpt(ans.body)},
		"The answer from %s is not from the service: status %d, %s: %q. "+
			"Check BINCARD_URL, and whether the network needs a sign-in.",
		c.host,
		ans.status,
		what,
		excerpt(ans.body),
	)
}

// tolerance is how far an answer's time may be from the known offset without
// changing it, so that displayed times do not jitter.
const tolerance = 1500 * time.Millisecond

// An offset is how far the service's clock is ahead of the local one. The
// first answer sets it. A differing answer changes it only if the next one
// agrees, since a single Date may be wrong, or if the local clock was set.
type offset struct {
	mu    sync.Mutex
	known bool
	value time.Duration
	last  time.Time // when the last answer arrived, by the local clock

	outlier      bool // the last answer contradicted the offset; lower and upper are its bounds
	lower, upper time.Duration
}

// update takes the Date of an answer. Its header arrived at ended, took after
// the request was sent. The Date was written in between and has whole seconds,
// so it bounds the offset; within the bounds and tolerance the offset stays.
func (o *offset) update(h http.Header, ended time.Time, took time.Duration) {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || h.Get("Age") != "" { // from a cache
		return
	}

	lower := date.Sub(ended.Round(0)) // Round removes the monotonic clock
	upper := lower + time.Second + took
	o.mu.Lock()
	defer o.mu.Unlock()
	set := !o.last.IsZero() && (ended.Round(0).Sub(o.last.Round(0))-ended.Sub(o.last)).Abs() > tolerance
	o.last = ended
	agrees := o.outlier && lower <= o.upper+tolerance && upper >= o.lower-tolerance
	o.outlier = o.value < lower-tolerance || o.value > upper+tolerance
	if o.outlier && (!o.known || set || agrees) {
		o.value, o.outlier = lower+(upper-lower)/2, false
	}

	o.known, o.lower, o.upper = true, lower, upper
}
