package ledger

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// Rules returns the rules of an organization in one environment.
func (l *Ledger) Rules(ctx context.Context, organization api.ID, env api.Environment) (out api.Rules, err error) {
	if err := checkRules(env, &out); err != nil {
		return out, err
	}

	p := store.Partition{Organization: organization, Environment: string(env)}
	err = l.store.View(ctx, p, func(r store.Reader) error {
		if _, err := account.OwnOf(r, p); err != nil {
			return err
		}
		in, err := stored.RulesOf(r)
		if err == nil {
			out = *in
		}
		return err
	})
	if err != nil {
		return api.Rules{}, toAPIError(ctx, err)
	}

	return out, nil
}

// SetRules sets the rules of an organization in one environment, effective at once.
// Existing documents do not change.
func (l *Ledger) SetRules(
	ctx context.Context,
	organization api.ID,
	env api.Environment,
	in api.Rules,
) (api.Rules, error) {
	if err := checkRules(env, &in); err != nil {
		return api.Rules{}, err
	}

	p := store.Partition{Organization: organization, Environment: string(env)}
	err := l.store.Update(ctx, p, func(tx store.Tx) error {
		if _, err := account.OwnOf(tx, p); err != nil {
			return err
		}
		return stored.PutRules(tx, in)
	})
	if err != nil {
		return api.Rules{}, toAPIError(ctx, err)
	}

	return in, nil
}

func checkRules(env api.Environment, in *api.Rules) error {
	var p api.Problems
	account.CheckEnvironment(&p, env)
	for _, rule := range []struct {
		field string
		value *int64
		most  int64
	}{
		{"overReceiptPercent", &in.OverReceiptPercent, api.MaxOverReceiptPercent},
		{"countLimitPieces", in.CountLimitPieces, api.MaxCountLimitPieces},
		{"countLimitPercent", in.CountLimitPercent, api.MaxCountLimitPercent},
	} {
		if rule.value != nil && (*rule.value < 0 || *rule.value > rule.most) {
			p.Add(rule.field, "maximum", "must be 0 to %d, is %d", rule.most, *rule.value)
		}
	}

	checkReasons(&p, in.Reasons)
	if action, problem := in.Worker.Problem(); problem != "" {
		p.Add("worker."+action, "pattern", "%v", api.Text(problem))
	}

	return p.Err()
}

// languageTag matches the code of a language, as catalogs are named: de, pt-BR.
var languageTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]{2}(-[A-Z]{2})?$`) })

// maxReasonText is the maximum length of a reason's code and of each of its texts, in characters.
const maxReasonText = 60

func checkReasons(p *api.Problems, list []api.Reason) {
	if len(list) > api.MaxReasons {
		p.Add("reasons", "maximum", "must have at most %d entries, has %d", api.MaxReasons, len(list))
		return
	}

	seen := map[string]bool{}
	for i, r := range list {
		field, code := fmt.Sprintf("reasons[%d].", i), strings.ToLower(r.Code)
		switch {
		case code == "" || api.CleanCode(r.Code) != r.Code || strings.Contains(code, ":"):
			p.Add(field+"code", "pattern", "must be a code without a colon, is %q", r.Code)
		case seen[code]:
			p.Add(field+"code", "unique", "%s appears twice", r.Code)
		}

		seen[code] = true
		for _, text := range append(slices.Collect(maps.Values(r.Texts)), r.Code) {
			if n := utf8.RuneCountInString(
				text,
			); n == 0 || n > maxReasonText ||
				strings.ContainsFunc(text, unicode.IsControl) {
				p.Add(field+"texts", "length", "must have 1 to %d visible characters each, has %q", maxReasonText, text)
			}
		}

		for language := range r.Texts {
			if !languageTag().MatchString(language) {
				p.Add(field+"texts", "pattern", "must have languages such as en or de, has %q", language)
			}
		}

		for _, use := range r.Uses {
			if !slices.Contains(api.ReasonUses, use) {
				p.Add(field+"uses", "enum", "must be one of %s, is %q", api.ReasonUses, use)
			}
		}
	}
}
