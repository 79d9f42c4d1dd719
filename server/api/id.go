package api

import (
	"time"

	"github.com/google/uuid"
)

// ID identifies a resource. The zero ID means "none".
type ID = uuid.UUID

// MaxQuantity is the largest quantity: the largest integer that every JSON
// reader represents exactly.
const MaxQuantity = 1<<53 - 1

// Environment separates live stock from test stock. The API key determines it.
type Environment string

const (
	Live Environment = "live"
	Test Environment = "test"
)

// Values lists the environments.
func (Environment) Values() []string { return []string{string(Live), string(Test)} }

// Instant truncates t to the precision of the service: UTC, whole milliseconds.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
