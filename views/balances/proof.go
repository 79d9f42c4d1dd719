package balances

import (
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"

	tea "github.com/charmbracelet/bubbletea"
)

// mismatches lists the states whose movements do not add up to the balance, each
// with both numbers.
func mismatches(t *i18n.Translator, head *api.Explanation) []string {
	var out []string
	for _, s := range api.States {
		if sum, balance := head.Totals.Of(s), head.Balance.Of(s); sum != balance {
			out = append(
				out,
				t.Get("%s: the movements add up to %s, the balance is %s", names.State(t, s), t.Count(sum),
					t.Count(balance)),
			)
		}
	}

	return out
}

// addedSum adds up the loaded movements. complete is false if not all are loaded or the
// balance changed in the meantime.
func (x *explain) addedSum() (sum api.Quantities, complete bool) {
	if !x.pages.Complete() || x.balanceMoved {
		return sum, false
	}
	for i := range x.entries {
		sum.Add(x.entries[i].movement.InventoryState, x.entries[i].movement.Quantity)
	}
	return sum, true
}

// proofLine says whether the movements add up to the balance, and what was compared.
func (x *explain) proofLine(t widget.Theme, width int) string {
	wrong := mismatches(x.T, x.explanation)
	sum, complete := x.addedSum()
	for _, s := range api.States {
		if complete && len(wrong) == 0 && sum.Of(s) != x.explanation.Totals.Of(s) {
			wrong = append(wrong, x.T.Get("%s: the %s movements here add up to %s, the service reports %s",
				names.State(x.T, s), x.T.Count(int64(len(x.entries))), x.T.Count(sum.Of(s)),
				x.T.Count(x.explanation.Totals.Of(s))))
		}
	}

	if len(wrong) > 0 && width < 40 {
		return t.Refused(widget.Clip(firstMismatch(x.T, x.explanation), width-2))
	}
	if len(wrong) > 0 {
		return t.Refused(widget.Clip(x.T.Get("%s   F8 verify", strings.Join(wrong, "; ")), width-2))
	}

	movements := x.T.Get("all movements")
	if complete {
		movements = x.T.GetN(len(x.entries), "%s movement", "%s movements")
	}

	short := x.T.Get("balance adds up ✓")
	long := movements + ": " + short
	for _, text := range []string{x.T.Get("%s in all eight states", long), long} {
		if widget.Width(text) <= width {
			return text
		}
	}

	return widget.Clip(short, width)
}

// firstMismatch returns the first mismatch in a form that fits a narrow line.
func firstMismatch(t *i18n.Translator, head *api.Explanation) string {
	for _, s := range api.States {
		if sum, balance := head.Totals.Of(s), head.Balance.Of(s); sum != balance {
			return fmt.Sprintf("%s Σ%s≠%s", names.State(t, s), t.Count(sum), t.Count(balance))
		}
	}

	return t.Get("Σ ≠ balance: F8")
}

// verify loads every movement and adds them up here, without relying on the totals
// that the service reports.
func (x *explain) verify() tea.Cmd {
	if x.pages.Complete() {
		return x.showProof()
	}
	x.verifying = true
	return x.pages.More()
}

// showProof reports the result of verify.
func (x *explain) showProof() tea.Cmd {
	t := x.T

	sum, complete := x.addedSum()
	if !complete {
		return tui.Warn(t.Get("The balance changed during the check. Refresh (F5) and verify again."))
	}

	var wrong []string
	for _, s := range api.States {
		if sum.Of(s) != x.explanation.Balance.Of(s) {
			wrong = append(
				wrong,
				t.Get("%s is %s and should be %s", names.State(t, s), t.Count(x.explanation.Balance.Of(s)),
					t.Count(sum.Of(s))),
			)
		}
	}

	if len(wrong) > 0 {
		return tui.Fail(
			t.NewError("%s, by all %s movements. Tell your administrator to run 'bincard verify' on the ledger.",
				strings.Join(wrong, "; "), t.Count(int64(len(x.entries)))),
		)
	}

	return tui.Toast(t.GetN(len(x.entries), "Verified: %s movement adds up", "Verified: %s movements add up"))
}
