package proof_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/api"
	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/wal"
)

var errDisk = errors.New("input/output error")

// When a flush of the log fails, or the last flush of a checkpoint, the ledger stops and
// reports that the outcome is unknown. Reopened, it has every acknowledged write.
func TestUpdate_FlushFails(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*testing.T, *boltstore.Store){
		"log": func(t *testing.T, s *boltstore.Store) {
			log := *unexportedField[*wal.Log](t, reflect.ValueOf(s).Elem(), "log")
			*unexportedField[func(*os.File) error](t, reflect.ValueOf(log).Elem(), "flush") = func(*os.File) error { return errDisk }
		},
		"database": func(t *testing.T, s *boltstore.Store) {
			db := *unexportedField[*bolt.DB](t, reflect.ValueOf(s).Elem(), "db")
			write := unexportedField[func([]byte, int64) (int, error)](t, reflect.ValueOf(db).Elem().FieldByName("ops"), "writeAt")
			real := *write
			*write = func(b []byte, at int64) (int, error) {
				n, err := real(b, at)
				if at < 2*int64(os.Getpagesize()) {
					err = errDisk // it is in the file, but maybe not on disk
				}
				return n, err
			}
			require.ErrorIs(t, s.Backup(nil), store.ErrUncertain)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &filler{t: t, dir: t.TempDir()}
			f.open()
			f.furnish()
			for range 20 {
				a := acknowledged{in: f.in, key: api.NewKey()}
				require.NoError(t, f.write(&a))
				f.acknowledged = append(f.acknowledged, a)
			}
			fail(t, f.store)
			for range 2 {
				err := f.write(&acknowledged{in: f.in, key: api.NewKey()})
				require.ErrorIs(t, err, store.ErrUncertain)
				require.ErrorIs(t, err, errDisk)
			}
			require.ErrorIs(t, f.store.View(t.Context(), store.Partition{}, func(store.Reader) error { return nil }), store.ErrUncertain)
			f.close()
			require.FileExists(t, filepath.Join(f.dir, wal.Files[0]), "the log is preserved")

			f.open()
			result, err := f.ledger.Verify(t.Context())
			require.NoError(t, err)
			require.Empty(t, result.Faults)
			for _, a := range f.acknowledged {
				res, err := api.AdjustStock.Do(t.Context(), f.svc, a.in, api.Key(a.key))
				require.NoError(t, err)
				require.True(t, res.Replayed)
			}
			require.NoError(t, f.write(&acknowledged{in: f.in, key: api.NewKey()}), "writing works again")
			f.close()
		})
	}
}
