package stocktext

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
)

// StateWidth returns the width of a column of short state names.
func StateWidth(t *i18n.Translator) int {
	width := 9
	for _, s := range api.States {
		width = max(width, widget.Width(names.ShortState(t, s)))
	}
	return width
}

// MovementReason returns the reference of the movement, and its reason if it has
// one.
func MovementReason(t *i18n.Translator, m *api.Movement) string {
	return Reason(t, m.ReferenceType, m.ReferenceID, m.Reason)
}

// Reason returns a reference, as Document does, and a reason in one text.
func Reason(t *i18n.Translator, referenceType, ref, reason string) string {
	ref, reason = Document(referenceType, ref), names.Reason(t, reason)
	switch {
	case reason == "" || reason == ref:
		return ref
	case ref == "":
		return reason
	}

	return ref + ": " + reason
}

// Document returns the reference of a movement. The ID of a document becomes its name.
func Document(referenceType, ref string) string {
	if id, err := uuid.Parse(ref); err == nil && len(ref) == 36 {
		return names.Unreferenced(referenceType, id)
	}
	return ref
}

// MovementActor returns the person who made the movement and who approved it, or the key
// if no person is known.
func MovementActor(t *i18n.Translator, m *api.Movement) string {
	operator, supervisor, _ := m.Who()
	return people(t, cmp.Or(operator, m.Actor.Label, string(m.Actor.Type)), supervisor)
}

// RowActor is MovementActor for a row of the movements report.
func RowActor(t *i18n.Translator, r *api.MovementRow) string {
	actor, supervisor := api.People(r.ActorLabel)
	return people(t, cmp.Or(r.Operator, actor, string(r.ActorType)), cmp.Or(r.ApprovedBy, supervisor))
}

// people names an operator, also one who counted again, and the supervisor who approved.
func people(t *i18n.Translator, operator, supervisor string) string {
	between := i18n.Textf("%s, counted again by %s", "", "") // as session.CountedAgain records it
	if first, second, twice := strings.Cut(operator, between); twice {
		operator = t.Get("%s, counted again by %s", first, second)
	}
	if supervisor == "" {
		return operator
	}
	return t.Get("%s, approved by %s", operator, supervisor)
}

// reservationOperations are the operations of reservations.
var reservationOperations = []api.MovementOperation{
	api.OpReservationCreate,
	api.OpReserve,
	api.OpCommit,
	api.OpRelease,
	api.OpReservationCancel,
	api.OpExpire,
}

// DocumentRoute returns the route of the document of a movement, or "".
func DocumentRoute(op api.MovementOperation, referenceType, referenceID string) string {
	if referenceID == "" {
		return ""
	}

	screen := ""
	switch {
	case referenceType == "inbound" || strings.HasPrefix(string(op), "inbound_"):
		screen = "receive"
	case referenceType == "outbound" || strings.HasPrefix(string(op), "outbound_"):
		screen = "fulfill"
	case op == api.OpTransferIn || op == api.OpTransferClose:
		screen = "receive-transfer"
	case referenceType == "transfer" || strings.HasPrefix(string(op), "transfer_"):
		screen = "ship"
	case referenceType == "reservation" || slices.Contains(reservationOperations, op):
		screen = "reservations"
	default:
		return ""
	}

	return tui.Path(screen, referenceID)
}
