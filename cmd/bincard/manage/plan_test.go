package manage_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/manage"
	"bincard/server/api"
)

// The help of --billable names the operations that it limits, and no others.
func TestPlanSet_NamesBillableOperations(t *testing.T) {
	t.Parallel()
	cmd, _, err := manage.PlanCommand().Find([]string{"set"})
	require.NoError(t, err)
	_, list, found := strings.Cut(cmd.Long, "and no others:")
	require.True(t, found, cmd.Long)
	var billable []string
	for _, spec := range api.Operations() {
		if spec.Billable {
			billable = append(billable, spec.ID)
		}
	}
	require.NotEmpty(t, billable)
	require.ElementsMatch(t, billable, strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \n", r) }))
}
