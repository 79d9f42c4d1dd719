package pgstore

import (
	"context"
	"errors"
	"fmt"
)

// A Status describes a database.
type Status struct {
	Database string `json:"database"` // its name and host
	Role     string `json:"role"`
	Server   string `json:"server"` // the version of PostgreSQL
	Standby  bool   `json:"standby"`
	// Tables is the version of the tables; 0 if there are none.
	Tables int `json:"tables"`
	// Known is the version of the tables that this program creates.
	Known      int   `json:"known"`
	Partitions int64 `json:"partitions"`
	Bytes      int64 `json:"bytes"` // of the tables with their indexes
}

// Inspect describes the database of a URL, which may be a standby.
func Inspect(ctx context.Context, url string) (s Status, err error) {
	config, err := parse(url)
	if err != nil {
		return s, err
	}

	conn, err := connect(ctx, config.ConnConfig)
	if s.Standby = errors.Is(err, ErrStandby); s.Standby {
		err = nil
	}
	if err != nil {
		return s, explain(config.ConnConfig, err)
	}

	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	s.Database, s.Known = address(config.ConnConfig), schemaVersion
	err = conn.QueryRow(ctx, "SELECT current_user, current_setting('server_version')").Scan(&s.Role, &s.Server)
	if err == nil {
		s.Tables, err = readVersion(ctx, conn)
	}
	if errors.Is(err, ErrNoTables) {
		return s, nil
	}
	if err == nil {
		err = conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM bincard.partitions),
			(SELECT sum(pg_total_relation_size('bincard.' || t)) FROM unnest(ARRAY['rows', 'partitions', 'commits']) AS t)::bigint`).Scan(&s.Partitions, &s.Bytes)
	}
	if err != nil {
		err = explain(config.ConnConfig, fmt.Errorf("cannot query the database: %w", err))
	}

	return s, err
}
