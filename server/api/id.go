package api

import (
	"time"

	"github.com/google/uuid"
)

// ID identifies a resource. The zero ID stands for "none".
type ID = uuid.UUID

// MaxQuantity is the greatest quantity: the greatest whole number that every
// JSON reader holds exactly.
const MaxQuantity = 1<<53 - 1

// Environment separates live stock from test stock. It comes with the key.
type Environment string

const (
	Live Environment = "live"
	Test Environment = "test"
)

// Values lists the environments.
func (Environment) Values() []string { return []string{string(Live), string(Test)} }

// Instant cuts t to what the service keeps and sends: UTC, whole milliseconds.
func Instant(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
