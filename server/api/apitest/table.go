package apitest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var tableTests = []test{
	{"every operation requires its scope", scopesRequired},
	{"every operation is implemented", operationsImplemented},
}

func scopesRequired(k *fixture) {
	seen := map[string]bool{}
	for _, spec := range api.Operations() {
		require.NotEmpty(k, spec.ID)
		require.NotEmpty(k, spec.Summary, spec.ID)
		require.Contains(k, spec.Scope.Values(), string(spec.Scope), "%s needs a scope", spec.ID)
		for _, name := range []string{spec.ID, spec.Method + " " + spec.Path} {
			require.False(k, seen[name], "%s is in the table twice", name)
			seen[name] = true
		}
		others := slices.DeleteFunc(slices.Clone(append(api.Scopes, api.Admin)), func(s api.Scope) bool { return s == spec.Scope })
		_, err := k.As(0, api.Live, others...).Do(k.ctx, &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: api.NewKey()})
		require.True(k, api.HasCode(err, api.InsufficientScope), "%s without %s: %v", spec.ID, spec.Scope, err)
		k.requireDetails(api.AsError(err), "requiredScope", spec.Scope)
	}
}

func operationsImplemented(k *fixture) {
	for _, spec := range api.Operations() {
		_, err := k.svc.Do(k.ctx, &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: api.NewKey()})
		if err != nil {
			require.NotContains(k, []api.Code{api.NotImplemented, api.InternalError}, api.AsError(err).Code, "%s: %v", spec.ID, err)
		}
	}
}
