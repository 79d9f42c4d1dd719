package journal

import (
	"bincard/server/api"
	"bincard/server/store/wire"
)

// ExpireSpec is the operation name of an expiry in the journal.
const ExpireSpec = "expireReservation"

// knownSpecs are operations, and knownSources sources of writes, whose names take one byte in
// an entry: their position, counted from 1, so append new ones at the end. Other names are
// stored as text, so a new operation need not be here.
var (
	knownSpecs = []string{
		ExpireSpec,
		"createInbound",
		"receiveInbound",
		"cancelInbound",
		"closeInbound",
		"createOutbound",
		"allocateOutbound",
		"pickOutbound",
		"packOutbound",
		"shipOutbound",
		"fulfillOutbound",
		"cancelOutbound",
		"createTransfer",
		"shipTransfer",
		"receiveTransfer",
		"cancelTransfer",
		"closeTransfer",
		"createReservation",
		"commitReservation",
		"releaseReservation",
		"cancelReservation",
		"adjustStock",
		"moveStock",
		"disassembleStock",
		"assembleStock",
		"receiveStock",
		"returnStock",
		"fulfillStock",
		"writeOffStock",
		"reconcileStock",
		"createProduct",
		"archiveProduct",
		"createLocation",
		"createOwner",
		"createChannel",
		"createKey",
		"revokeKey",
	}
	knownSources = []string{"api", "terminal", "service"}
	knownActors  = []string{string(api.User), string(api.APIKey), string(api.SystemJob)}
)

// appendKnown writes one byte for a listed name.
func appendKnown(b []byte, list []string, s string) []byte {
	for i, w := range list {
		if w == s {
			return append(b, byte(i+1))
		}
	}

	return wire.AppendText(append(b, 0), s)
}

func (d *RowReader) known(list []string) string {
	n := int(d.Byte())
	switch {
	case n == 0:
		return string(d.Text())
	case n > len(list):
		d.Fail()
		return ""
	}

	return list[n-1]
}

// OperationNumber returns the stored number of an operation: its position in
// api.MovementOperations, counted from 1, which never changes.
func OperationNumber(op api.MovementOperation) byte { return operationNumbers[op] }

func operationOf(n byte) api.MovementOperation {
	if n == 0 {
		return api.OpReservationCreate
	}
	if int(n) > len(api.MovementOperations) {
		return ""
	}
	return api.MovementOperations[n-1]
}

var operationNumbers = func() map[api.MovementOperation]byte {
	m := map[api.MovementOperation]byte{api.OpReservationCreate: 0}
	for i, op := range api.MovementOperations {
		m[op] = byte(i + 1)
	}
	return m
}()

func appendActor(b []byte, a *api.Actor) []byte {
	if a == nil {
		return appendKnown(b, knownActors, "")
	}
	b = appendKnown(b, knownActors, string(a.Type))
	b = appendToken(b, a.ID)
	return wire.AppendText(b, a.Label)
}

func (d *RowReader) actor() *api.Actor {
	t := d.known(knownActors)
	if t == "" {
		return nil
	}
	return &api.Actor{Type: api.ActorType(t), ID: d.token(), Label: string(d.Text())}
}
