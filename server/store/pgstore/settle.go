package pgstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bincard/server/store"
)

// settle finds out whether the commit that was tried last has happened. It returns nil if
// so, an error to try again if not, and store.ErrUncertain if that cannot be known.
func (b *batch) settle(end time.Time) error {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		committed, err := b.committed()
		switch {
		case err == nil && committed:
			return nil
		case err == nil:
			return errNotCommitted
		case !isTransient(err) || time.Now().After(end):
			return fmt.Errorf("%w (%w)", store.ErrUncertain, err)
		}

		select {
		case <-time.After(pause):
		case <-b.store.closing:
			end = time.Now()
		}
	}
}

var (
	// errNotCommitted is transient.
	errNotCommitted = errors.New("the connection to the database was lost before the commit")
	errTrimmed      = errors.New("the list of the commit's changes is deleted already")
)

// committed reports whether the commit that was tried last has happened.
func (b *batch) committed() (committed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), attemptTimeout)
	defer cancel()
	err = b.withConn(ctx, func(conn *pgx.Conn) error {
		version, _, err := b.lock(ctx, conn, &cachedReader{}) // waits for the end of its transaction
		if err != nil || version < b.version {
			return err
		}

		var id uuid.UUID
		err = conn.QueryRow(ctx, "SELECT batch FROM bincard.commits WHERE partition = $1 AND version = $2", b.partition,
			b.version).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return errTrimmed
		}
		if err != nil || id != b.id {
			return err
		}

		// Standbys have the commit when they have this one.
		q := &pgx.Batch{}
		q.Queue("UPDATE bincard.partitions SET version = version WHERE partition = $1", b.partition)
		q.Queue("COMMIT")
		err = send(ctx, conn, q)
		committed = err == nil

		return err
	})

	return committed, err
}

// errNotReplicated is transient.
var errNotReplicated = errors.New("a standby that the database waits for may not have the commit")

// warnings is the key of a connection's custom data that is true after a warning.
const warnings = "warnings"

// noteWarning notes that a connection has a warning. A commit has one if its wait for the
// standbys was canceled.
func noteWarning(conn *pgconn.PgConn, n *pgconn.Notice) {
	if n.Code == "01000" {
		conn.CustomData()[warnings] = true
	}
}

// send sends statements that end with COMMIT.
func send(ctx context.Context, conn *pgx.Conn, q *pgx.Batch) error {
	data := conn.PgConn().CustomData()
	delete(data, warnings)
	err := conn.SendBatch(ctx, q).Close()
	if err == nil && data[warnings] == true {
		err = errNotReplicated
	}
	return err
}
