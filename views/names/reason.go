package names

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// The questions for a reason, with the most likely reasons first.
var (
	AdjustmentReasons = Question{api.CountReason, i18n.Text("counted; counting error; opening stock")}
	RemovalReasons    = Question{
		api.RemoveReason,
		i18n.Text("lost; broken; expired; internal use; sample; counting error"),
	}
	AdditionReasons = Question{api.AddReason, i18n.Text("found; received without a document; counting error")}
	DamageReasons   = Question{api.DamageReason, i18n.Text("damaged; failed inspection; expired; correction")}
	ReleaseReasons  = Question{
		api.ReleaseReason,
		i18n.Text("passed inspection; repaired; no longer on hold; correction"),
	}
	HoldReasons        = Question{api.HoldReason, i18n.Text("needs inspection; on hold; correction")}
	AssemblyReasons    = Question{api.AssembleReason, i18n.Text("built for sale; built for an order; correction")}
	DisassemblyReasons = Question{api.DisassembleReason, i18n.Text("components needed; kit returned; correction")}
	DamageCauses       = Question{api.DamageReason, i18n.Text("broken; crushed; wet; leaking; opened")}
	ReturnReasons      = Question{
		api.ReturnReason,
		i18n.Text("not wanted; wrong product; defective; damaged in transit; refused"),
	}
	UnlinkReasons = Question{api.UnlinkReason, i18n.Text("wrong product; wrong quantity; barcode no longer used")}
)

// The reasons that Bincard itself records.
var (
	Counted          = i18n.Text("counted")
	Undo             = i18n.Text("undo")
	DamagedOnReceipt = i18n.Text("damaged on receipt")
	DamagedInTransit = i18n.Text("damaged in transit")
	CountedAt        = i18n.Text("counted at %s")
	FoundAt          = i18n.Text("found at %s")
	OverReceipt      = i18n.Text("over-receipt on %s")
	PutBack          = i18n.Text("put back on the shelf") // by the service
	OpeningStock     = i18n.Text("Opening stock")         // by an import
	ExpiredAt        = i18n.Text("expired at %s")         // by the service, of a reservation
)

var (
	builtInReasons = []Question{
		AdjustmentReasons,
		RemovalReasons,
		AdditionReasons,
		DamageReasons,
		ReleaseReasons,
		HoldReasons,
		AssemblyReasons,
		DisassemblyReasons,
		DamageCauses,
		ReturnReasons,
		UnlinkReasons,
		{Reasons: Counted},
		{Reasons: Undo},
		{Reasons: DamagedOnReceipt},
		{Reasons: DamagedInTransit},
		{Reasons: PutBack},
		{Reasons: OpeningStock},
	}
	reasonFormats = []string{CountedAt, FoundAt, OverReceipt, ExpiredAt}
)

// A Question asks for a reason. Reasons are its answers, separated by semicolons, if the company
// has none for its use.
type Question struct {
	Use     api.ReasonUse
	Reasons string
}

// Answers returns the reasons to choose from: those of the company, or else Bincard's.
func (q Question) Answers(t *i18n.Translator, company []api.Reason) (texts []string) {
	for _, r := range company {
		if len(r.Uses) == 0 || slices.Contains(r.Uses, q.Use) {
			texts = append(texts, Reason(t, r.Code))
		}
	}
	if texts == nil {
		texts = q.builtIn(t)
	}

	return texts
}

func (q Question) builtIn(t *i18n.Translator) []string { return strings.Split(t.Get(q.Reasons), "; ") }

// RecordedReason returns what is recorded for a reason that was chosen or typed: the code of a
// company's reason, or English, so that reports count those of all languages together.
func RecordedReason(t *i18n.Translator, company []api.Reason, text string) string {
	for _, r := range company {
		if strings.EqualFold(text, r.Code) || strings.EqualFold(text, Reason(t, r.Code)) {
			return r.Code
		}
	}
	for _, q := range builtInReasons {
		english := q.builtIn(nil)
		if i := slices.Index(q.builtIn(t), text); i >= 0 && i < len(english) {
			return english[i]
		}
	}

	return text
}

// CompanyTexts returns the texts of a company's reasons, for i18n.Translator.SetCompanyTexts.
func CompanyTexts(company []api.Reason) map[string]map[string]string {
	texts := map[string]map[string]string{}
	for _, r := range company {
		texts[r.Code] = r.Texts
	}
	return texts
}

// Reason returns a recorded reason in the language of t. What was typed stays as it is.
func Reason(t *i18n.Translator, recorded string) string {
	head, rest, more := strings.Cut(recorded, ": ")
	text, known := reasonText(t, head)
	switch {
	case !known:
		return recorded
	case more:
		return text + ": " + Reason(t, rest)
	}

	return text
}

func reasonText(t *i18n.Translator, recorded string) (text string, known bool) {
	if text, known = t.CompanyText(recorded); known {
		return text, true
	}
	for _, q := range builtInReasons {
		shown := q.builtIn(t)
		if i := slices.Index(q.builtIn(nil), recorded); i >= 0 && i < len(shown) {
			return shown[i], true
		}
	}
	for _, format := range reasonFormats {
		if value, ok := strings.CutPrefix(recorded, strings.TrimSuffix(format, "%s")); ok {
			if at, err := time.Parse(time.RFC3339, value); err == nil {
				value = t.DateClock(at.Local())
			}
			return t.Get(format, value), true
		}
	}

	return "", false
}
