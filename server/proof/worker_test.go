package proof_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A worker performs one write after another and records the responses.
type worker struct {
	company     *company
	rng         *rand.Rand
	done        []*write
	interrupted *write // was in progress when the service was killed
}

// A write is a request and its response.
type write struct {
	path, key, body string
	response        []byte
}

// A movement is a movement in a response.
type movement struct {
	ProductID  string `json:"productId"`
	LocationID string `json:"locationId"`
	State      string `json:"inventoryState"`
	Quantity   int64  `json:"quantity"`
}

func (d *write) movements(t *testing.T) []movement {
	t.Helper()
	var out struct {
		Movements []movement `json:"movements"`
	}
	require.NoError(t, json.Unmarshal(d.response, &out))
	return out.Movements
}

// work performs random jobs until the service is killed.
func (w *worker) work() (bool, error) {
	jobs := []func() error{w.adjust, w.receive, w.transfer, w.fulfill}
	for w.interrupted == nil {
		if err := jobs[w.rng.IntN(len(jobs))](); err != nil {
			return false, err
		}
	}
	return true, nil
}

// resume repeats the interrupted request and reports whether it had been committed.
func (w *worker) resume() (committed bool, err error) {
	d := w.interrupted
	if d == nil {
		return false, nil
	}
	w.interrupted = nil
	res, err := w.company.send(w.company.url, http.MethodPost, d.path, d.key, d.body)
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); { // as a client on a busy machine does
		res, err = w.company.send(w.company.url, http.MethodPost, d.path, d.key, d.body)
	}
	if err != nil {
		return false, fmt.Errorf("the restarted service does not respond: %w", err)
	}
	return res.replayed, w.record(d, res)
}

// replay repeats all requests.
func (w *worker) replay() (bool, error) {
	for _, d := range w.done {
		res, err := w.company.send(w.company.url, http.MethodPost, d.path, d.key, d.body)
		if err != nil {
			return false, err
		}
		if !res.replayed || !bytes.Equal(res.body, d.response) {
			return false, fmt.Errorf("%s %s returned\n%s\nthen (replayed: %t)\n%s", d.path, d.key, d.response, res.replayed, res.body)
		}
	}
	return true, nil
}

// write performs a write; it returns nil if the write was rejected or interrupted.
func (w *worker) write(path, body string, args ...any) ([]byte, error) {
	d := &write{path: path, key: uuid.Must(uuid.NewV7()).String(), body: fmt.Sprintf(body, args...)}
	w.company.event()
	res, err := w.company.send(w.company.url, http.MethodPost, d.path, d.key, d.body)
	if err != nil {
		w.interrupted = d
		return nil, nil
	}
	w.company.event()
	err = w.record(d, res)
	return d.response, err
}

// record records a response. Conflicts are expected: other workers take the same stock.
func (w *worker) record(d *write, res reply) error {
	switch {
	case res.status < 300:
		d.response = res.body
		w.done = append(w.done, d)
	case res.status != http.StatusConflict:
		return fmt.Errorf("%s %s returned %d %s", d.path, d.body, res.status, res.body)
	}
	return nil
}

func (w *worker) adjust() error {
	_, err := w.write("/stock/adjust", `{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":%d,"reason":"count"}`,
		w.product(), w.location(), []int{-3, -1, 2, 5}[w.rng.IntN(4)])
	return err
}

func (w *worker) receive() error {
	id, err := w.begin("inbound", "/inbounds", `{"productId":%q,"locationId":%q,"expectedQuantity":5}`, w.product(), w.location())
	for _, q := range []int{2, 3} {
		if id == "" || err != nil || w.interrupted != nil {
			return err
		}
		_, err = w.write("/inbounds/"+id+"/receive", `{"quantity":%d}`, q)
	}
	return err
}

func (w *worker) transfer() error {
	from := w.rng.IntN(2)
	id, err := w.begin("transfer", "/transfers", `{"productId":%q,"sourceLocationId":%q,"destinationLocationId":%q,"quantity":4}`,
		w.product(), w.company.locations[from], w.company.locations[1-from])
	for _, step := range []string{"ship", "receive"} {
		if id == "" || err != nil || w.interrupted != nil {
			return err
		}
		_, err = w.write("/transfers/"+id+"/"+step, `{"quantity":%d}`, 1+w.rng.IntN(4))
	}
	return err
}

func (w *worker) fulfill() error {
	id, err := w.begin("outbound", "/outbounds", `{"productId":%q,"locationId":%q,"requestedQuantity":2}`, w.product(), w.location())
	if id == "" || err != nil {
		return err
	}
	_, err = w.write("/outbounds/"+id+"/fulfill", `{"quantity":1}`)
	return err
}

// begin creates a document and returns its id, or "" if it was rejected or interrupted.
func (w *worker) begin(kind, path, body string, args ...any) (string, error) {
	response, err := w.write(path, body, args...)
	if response == nil || err != nil {
		return "", err
	}
	var parts map[string]jsontext.Value
	var document struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(response, &parts); err != nil {
		return "", err
	}
	err = json.Unmarshal(parts[kind], &document)
	return document.ID, err
}

func (w *worker) product() string {
	return w.company.products[w.rng.IntN(len(w.company.products))]
}

func (w *worker) location() string { return w.company.locations[w.rng.IntN(2)] }
