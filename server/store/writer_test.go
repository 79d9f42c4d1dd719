package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
)

var (
	ctx       = context.Background()
	errBroken = errors.New("broken")
)

// fakeBackend is a backend over overlays that records commits and can be made to fail.
type fakeBackend struct {
	rows    map[store.Partition]*store.Overlay
	batches [][]store.Changes
	begun   int
	begin   error
	commit  func() error
}

func (d *fakeBackend) Begin() (store.Snapshot, error) {
	d.begun++
	return d, d.begin
}

func (d *fakeBackend) Close() {}

func (d *fakeBackend) Reader(p store.Partition) (store.Reader, error) {
	if d.rows == nil {
		d.rows = map[store.Partition]*store.Overlay{}
	}
	if d.rows[p] == nil {
		d.rows[p] = store.NewOverlay(nil)
	}
	return d.rows[p], nil
}

func (d *fakeBackend) Commit(changes []store.Changes) error {
	if d.commit != nil {
		if err := d.commit(); err != nil {
			return err
		}
	}
	d.batches = append(d.batches, changes)
	for _, c := range changes {
		for _, row := range c.Rows {
			if err := row.Apply(d.rows[c.Partition]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *fakeBackend) writer(t *testing.T) *store.Writer {
	w := store.NewWriter(d)
	t.Cleanup(w.Close)
	return w
}

func put(key string) func(store.Tx) error {
	return func(tx store.Tx) error { return tx.Put("t", []byte(key), []byte(key)) }
}

// commitTogether runs the updates in one batch: they wait behind another update, which
// changes nothing. It returns the errors of all of them, in no order.
func commitTogether(w *store.Writer, updates map[store.Partition][]func(store.Tx) error) (errs []error) {
	running, release := make(chan struct{}), make(chan struct{})
	results := make(chan error)
	n := 0
	go func() {
		results <- w.Update(ctx, store.Partition{}, func(store.Tx) error {
			close(running)
			<-release
			return nil
		})
	}()
	<-running
	for p, fns := range updates {
		for _, fn := range fns {
			n++
			go func() { results <- w.Update(ctx, p, fn) }()
		}
	}
	w.Waiting(n)
	close(release)
	for range n + 1 {
		errs = append(errs, <-results)
	}
	return errs
}

func TestWriter_CommitsInBatches(t *testing.T) {
	t.Parallel()
	d := &fakeBackend{}
	w := d.writer(t)
	one, other := store.Partition{Organization: uuid.UUID{1}}, store.Partition{Organization: uuid.UUID{2}}
	errs := commitTogether(w, map[store.Partition][]func(store.Tx) error{
		other: {put("b"), put("a"), func(tx store.Tx) error { return errors.Join(put("never")(tx), errBroken) }},
		one:   {put("c"), put("c"), func(tx store.Tx) error { _ = put("never")(tx); panic(errBroken) }},
	})
	failed := 0
	for _, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, errBroken)
			failed++
		}
	}
	require.Equal(t, 2, failed)
	row := func(key string) store.Row { return store.Row{Table: "t", Key: []byte(key), Value: []byte(key)} }
	require.Equal(t, [][]store.Changes{{
		{Partition: one, Rows: []store.Row{row("c")}},
		{Partition: other, Rows: []store.Row{row("a"), row("b")}},
	}}, d.batches, "one commit with sorted, distinct rows")
}

func TestWriter_CommitFails(t *testing.T) {
	t.Parallel()
	d := &fakeBackend{commit: func() error { return errBroken }}
	w := d.writer(t)
	p := store.Partition{}
	failing := func(store.Tx) error { return errors.New("failed") }
	errs := commitTogether(w, map[store.Partition][]func(store.Tx) error{p: {put("a"), put("b"), failing}})
	lost := 0
	for _, err := range errs {
		if errors.Is(err, errBroken) {
			lost++
			require.ErrorContains(t, err, "nothing was saved")
		}
	}
	require.Equal(t, 4, lost, "the whole batch fails")

	d.commit = nil
	require.NoError(t, w.Update(ctx, p, func(tx store.Tx) error {
		value, err := tx.Get("t", []byte("a"))
		require.Nil(t, value)
		return err
	}))
	require.Empty(t, d.batches, "an update that changes nothing commits nothing")
	require.NoError(t, w.Update(ctx, p, put("c")))
	require.Len(t, d.batches, 1)
}

func TestWriter_BeginFails(t *testing.T) {
	t.Parallel()
	d := &fakeBackend{begin: errBroken}
	w := d.writer(t)
	require.ErrorIs(t, w.Update(ctx, store.Partition{}, put("a")), errBroken)
}

// After a panic the backend is not called again.
func TestWriter_BackendPanics(t *testing.T) {
	t.Parallel()
	n := 0
	d := &fakeBackend{commit: func() error { n++; panic(errBroken) }}
	w := d.writer(t)
	for range 2 {
		err := w.Update(ctx, store.Partition{}, put("a"))
		require.ErrorIs(t, err, errBroken)
		require.ErrorContains(t, err, "must be reopened")
	}
	require.Equal(t, 1, n)
}

func TestWriter_MaxBatch(t *testing.T) {
	t.Parallel()
	d := &fakeBackend{}
	w := d.writer(t)
	var all []func(store.Tx) error
	for i := range store.MaxBatch {
		all = append(all, put(string(rune('a'+i))))
	}
	for _, err := range commitTogether(w, map[store.Partition][]func(store.Tx) error{{}: all}) {
		require.NoError(t, err)
	}
	require.Len(t, d.batches, 2)
	require.Len(t, d.batches[0][0].Rows, store.MaxBatch-1)
	require.Len(t, d.batches[1][0].Rows, 1)
}

// A blockedCommit is a writer whose first batch, with the row a, is being committed.
type blockedCommit struct {
	*store.Writer
	backend *fakeBackend
	release chan struct{} // closed to end the commit
	results chan error    // of the updates
}

func blockCommit(t *testing.T, outcome error) *blockedCommit {
	committing := make(chan struct{})
	b := &blockedCommit{backend: &fakeBackend{}, release: make(chan struct{}), results: make(chan error, 1+store.MaxBatch)}
	b.backend.commit = func() error {
		b.backend.commit = nil
		close(committing)
		<-b.release
		return outcome
	}
	b.Writer = b.backend.writer(t)
	b.start(put("a"))
	<-committing
	return b
}

func (b *blockedCommit) start(fn func(store.Tx) error) {
	go func() { b.results <- b.Update(ctx, store.Partition{}, fn) }()
}

// While one batch is being committed the next one is staged over it, and fails with it.
func TestWriter_StagesAhead(t *testing.T) {
	t.Parallel()
	for name, outcome := range map[string]error{"commit succeeds": nil, "commit fails": errBroken} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := blockCommit(t, outcome)
			staged := make(chan []byte)
			for range 2 {
				for range store.StageAtOnce {
					w.start(func(tx store.Tx) error {
						value, err := tx.Get("t", []byte("a"))
						staged <- value
						return errors.Join(err, put("b")(tx))
					})
				}
				for range store.StageAtOnce {
					require.Equal(t, "a", string(<-staged), "it sees uncommitted changes")
				}
			}
			require.Empty(t, w.results, "no update returns before the commit")
			close(w.release)
			for range 1 + 2*store.StageAtOnce {
				require.ErrorIs(t, <-w.results, outcome)
			}
			if outcome != nil {
				require.Empty(t, w.backend.batches)
				require.NoError(t, w.Update(ctx, store.Partition{}, put("c")), "a later update succeeds")
				return
			}
			require.Len(t, w.backend.batches, 2)
		})
	}
}

// Few updates wait for the commit in progress and are staged together.
func TestWriter_StagesFewTogether(t *testing.T) {
	t.Parallel()
	w := blockCommit(t, nil)
	for range store.StageAtOnce - 1 {
		w.start(put("b"))
	}
	w.Waiting(store.StageAtOnce - 1)
	close(w.release)
	for range store.StageAtOnce {
		require.NoError(t, <-w.results)
	}
	require.Len(t, w.backend.batches, 2)
	require.Equal(t, 2, w.backend.begun)
}
