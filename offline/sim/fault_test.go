package sim_test

import (
	"fmt"
	"slices"
	"strings"
)

// A fault is an event that simulations count, mostly something that goes
// wrong.
type fault int

const (
	requestLost fault = iota
	requestDoubled
	requestReordered
	answerLost
	answerLate
	pageBefore
	pageAfter
	swappedBefore
	swappedAfter
	swappedSameOperation
	swappedOtherOperation
	swappedSameSite
	swappedOtherSite
	swappedBasic
	tooMany
	quotaSpent
	failedBefore
	failedAfter
	offlineForHours
	offlineForADay
	keyRevoked
	keyReplaced
	foreignKey
	foreignJournal
	crashed
	tornTail
	diskFull
	openFailed
	writeFailed
	flushFailed
	renameFailed
	uncertain
	shortened
	replicaLost
	replicaOlder
	replicaFailed
	replicaDead
	clockForward
	clockBack
	serviceClockForward
	serviceClockBack
	serviceRestored
	serviceWentBack
	keyOfAnotherSite
	keyOfAnotherDocument
	doneAgain
	nodeRestored
	oneInbound
	reservationRaced
	serviceOvertaken
	clockWrongAtWork
	timeRejected
	scansOfTwoDevices
	scansOfTwoSites
	diskFullForAnHour
	poisoned
	poisonEdited
	poisonDiscarded
	heldForAPerson
	countedOffline
	closedAtService
	refusedWithDependents
	triedAgain
	documentNeverCreated
	discarded
	replaced
	twoTenants
	documentedOnly
	siteWithEdge
	boundDeviceWorked
	boundDeviceRejected
	siteOfOneLocation
	workedElsewhere
	faultKinds
)

var faultNames = [faultKinds]string{"request lost", "request doubled", "request reordered", "answer lost", "answer late", "page before", "page after", "answer swapped before",
	"answer swapped after", "answer of the same operation", "answer of another operation", "answer of the same site", "answer of another site", "answer swapped by a basic service",
	"429", "quota", "5xx before", "5xx after", "hours offline", "day offline", "key revoked", "key replaced", "foreign key", "foreign journal",
	"crash", "torn tail", "disk full", "open fails", "write fails", "flush fails", "rename fails", "disk uncertain", "journal compacted",
	"replica lost", "replica older than the journal", "replica fails", "replica dead", "node's clock forward", "node's clock back", "service's clock forward", "service's clock back",
	"service restored", "service went back", "key of another site", "key of another document", "done again after restore", "node restored", "inbound received twice", "reserved stock taken by others", "service overtaken",
	"work at a wrong clock", "time rejected", "one key on two devices", "one key at two sites", "disk full for an hour", "poisoned operation", "poisoned operation edited", "poisoned operation discarded", "quarantined", "counted offline",
	"closed at the center", "rejected with dependents", "retried", "retried without its document", "discarded", "replaced", "two tenants",
	"documented operations only", "edge", "work of a bound device", "bound device rejected",
	"site of one location", "work elsewhere rejected"}

// A faultCounts is the number of occurrences of each fault.
type faultCounts [faultKinds]int

func (t *faultCounts) add(o faultCounts) {
	for i, n := range o {
		t[i] += n
	}
}

func (t faultCounts) String() string {
	var b strings.Builder
	for i, n := range t {
		fmt.Fprintf(&b, "%s %d, ", faultNames[i], n)
	}
	return strings.TrimSuffix(b.String(), ", ")
}

// never returns the names of the faults that did not occur.
func (t faultCounts) never() (names []string) {
	for i, n := range t {
		if n == 0 {
			names = append(names, faultNames[i])
		}
	}
	return slices.Clip(names)
}

func (w *simulation) count(f fault) { w.counts[f]++ }

// inject returns true with probability p, and then counts the fault.
func (w *simulation) inject(f fault, p float64) bool {
	if !w.chance(p) {
		return false
	}
	w.count(f)
	return true
}
