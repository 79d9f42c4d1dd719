package crash_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A worker does one write after the other and remembers what it was answered.
type worker struct {
	company     *company
	rng         *rand.Rand
	done        []*request
	interrupted *request // was under way when the service ended
}

// A request is one write with its answer.
type request struct {
	path, key, body string
	answer          []byte
}

// A movement is one movement of an answer.
type movement struct {
	ProductID  string `json:"productId"`
	LocationID string `json:"locationId"`
	State      string `json:"inventoryState"`
	Quantity   int64  `json:"quantity"`
}

func (d *request) movements(t *testing.T) []movement {
	t.Helper()
	var out struct {
		Movements []movement `json:"movements"`
	}
	require.NoError(t, json.Unmarshal(d.answer, &out))
	return out.Movements
}

// work does one job after the other until the service is gone.
func (w *worker) work() (bool, error) {
	jobs := []func() error{w.adjust, w.receive, w.transfer, w.sendOut}
	for w.interrupted == nil {
		if err := jobs[w.rng.IntN(len(jobs))](); err != nil {
			return false, err
		}
	}
	return true, nil
}

// resume asks again for what was cut off, and tells whether it had been kept.
func (w *worker) resume() (kept bool, err error) {
	d := w.interrupted
	if d == nil {
		return false, nil
	}
	w.interrupted = nil
	status, kept, answer, err := w.company.send(http.MethodPost, d.path, d.key, d.body)
	if err != nil {
		return false, fmt.Errorf("the service does not answer after its start: %w", err)
	}
	return kept, w.note(d, status, answer)
}

// replay asks for everything again.
func (w *worker) replay() (bool, error) {
	for _, d := range w.done {
		_, replayed, answer, err := w.company.send(http.MethodPost, d.path, d.key, d.body)
		if err != nil {
			return false, err
		}
		if !replayed || !bytes.Equal(answer, d.answer) {
			return false, fmt.Errorf("%s %s was answered\n%s\nand again (replayed: %t)\n%s", d.path, d.key, d.answer, replayed, answer)
		}
	}
	return true, nil
}

// write does one write; it answers nil when that was refused or cut off.
func (w *worker) write(path, body string, args ...any) ([]byte, error) {
	d := &request{path: path, key: uuid.Must(uuid.NewV7()).String(), body: fmt.Sprintf(body, args...)}
	status, _, answer, err := w.company.send(http.MethodPost, d.path, d.key, d.body)
	if err != nil {
		w.interrupted = d
		return nil, nil
	}
	if w.company.answered.Add(1) == w.company.limit.Load() {
		w.company.onLimit()
	}
	err = w.note(d, status, answer)
	return d.answer, err
}

// note remembers an answered write. Stock that others took is no fault.
func (w *worker) note(d *request, status int, answer []byte) error {
	switch {
	case status < 300:
		d.answer = answer
		w.done = append(w.done, d)
	case status != http.StatusConflict:
		return fmt.Errorf("%s %s was answered %d %s", d.path, d.body, status, answer)
	}
	return nil
}

func (w *worker) adjust() error {
	_, err := w.write("/stock/adjust", `{"productId":%q,"locationId":%q,"inventoryState":"available","quantityDelta":%d,"reason":"count"}`,
		w.product(), w.place(), []int{-3, -1, 2, 5}[w.rng.IntN(4)])
	return err
}

func (w *worker) receive() error {
	id, err := w.begin("inbound", "/inbounds", `{"productId":%q,"locationId":%q,"expectedQuantity":5}`, w.product(), w.place())
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
		w.product(), w.company.places[from], w.company.places[1-from])
	for _, step := range []string{"ship", "receive"} {
		if id == "" || err != nil || w.interrupted != nil {
			return err
		}
		_, err = w.write("/transfers/"+id+"/"+step, `{"quantity":%d}`, 1+w.rng.IntN(4))
	}
	return err
}

func (w *worker) sendOut() error {
	id, err := w.begin("outbound", "/outbounds", `{"productId":%q,"locationId":%q,"requestedQuantity":2}`, w.product(), w.place())
	if id == "" || err != nil {
		return err
	}
	_, err = w.write("/outbounds/"+id+"/fulfill", `{"quantity":1}`)
	return err
}

// begin creates a document and answers its id, or none when it was cut off.
func (w *worker) begin(kind, path, body string, args ...any) (string, error) {
	answer, err := w.write(path, body, args...)
	if answer == nil || err != nil {
		return "", err
	}
	var parts map[string]jsontext.Value
	var document struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer, &parts); err != nil {
		return "", err
	}
	err = json.Unmarshal(parts[kind], &document)
	return document.ID, err
}

func (w *worker) product() string {
	return w.company.products[w.rng.IntN(len(w.company.products))]
}

func (w *worker) place() string { return w.company.places[w.rng.IntN(2)] }
