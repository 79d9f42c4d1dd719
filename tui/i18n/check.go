package i18n

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/leonelquinteros/gotext"
)

// A Problem is a message of a company's catalog that cannot be used. It is displayed as without
// that catalog.
type Problem struct{ File, Message, Text string }

// String returns the problem with its file and message.
func (p Problem) String() string {
	if p.Message == "" {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s: %q: %s", p.File, p.Message, p.Text)
}

// Check returns the messages of a catalog that cannot be used, and removes them: those
// whose placeholders differ from the English ones, and those that Bincard does not have.
func Check(po *gotext.Po) (problems []Problem) {
	known := map[[2]string]bool{}
	for _, m := range Messages() {
		known[[2]string{m.Text, m.Context}] = true
	}

	for context, list := range entries(po) {
		for english, entry := range list {
			if english == "" || !entry.IsTranslated() {
				continue
			}

			fault := ""
			for _, form := range entry.Trs {
				fault = cmp.Or(fault, mismatch(english, form))
			}
			if !known[[2]string{english, context}] {
				fault = "Bincard does not have this message"
			}

			if fault != "" {
				problems = append(problems, Problem{Message: english, Text: fault})
				if context == "" {
					po.Set(english, "")
				} else {
					po.GetDomain().SetC(english, context, "")
				}
			}
		}
	}

	slices.SortFunc(problems, func(a, b Problem) int { return cmp.Compare(a.Message, b.Message) })

	return problems
}
