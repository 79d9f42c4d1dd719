package apitest

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var nodeTests = []test{
	{"list nodes: the last report of each", nodesListed},
	{"list nodes: only those of the organization and environment", nodesTenancy},
	{"list nodes: pages", nodesPaged},
	{"list nodes: a node that starts again is no copy", nodesRestarted},
	{"list nodes: two runs at the same time are copies", nodesCopied},
	{"list nodes: reports are validated", nodesValidated},
}

// report reads the changes as a node that says this about itself.
func (k *fixture) report(r api.NodeReport) {
	k.Helper()
	do(k, api.ListChanges, api.ListChangesInput{Limit: ptr(int64(1))}, api.ReportedBy(r))
}

// A nodeRun is a run of a node.
type nodeRun struct {
	k *fixture
	api.NodeReport
}

// runNode starts a run of a node.
func (k *fixture) runNode(id api.ID, label string) *nodeRun {
	return &nodeRun{k, api.NodeReport{ID: id, Label: label, Kind: api.NodeEdge, Version: "1", Session: newID()}}
}

// read reads the changes and returns the labels of the copies that the answer reports.
func (r *nodeRun) read() []string {
	r.k.Helper()
	out := do(r.k, api.ListChanges, api.ListChangesInput{Limit: ptr(int64(1))}, api.ReportedBy(r.NodeReport))
	require.NotEqual(r.k, r.Session, out.OtherSession)
	if out.OtherSession != api.NoID {
		r.OtherSession = out.OtherSession
	}
	return out.Copies
}

// nodes lists all nodes with a label.
func (k *fixture) nodes(label string) (list []api.NodeStatus) {
	k.Helper()
	in := api.ListNodesInput{Page: api.Page{Limit: ptr(int64(100))}}
	for {
		page := do(k, api.ListNodes, in)
		for i := range page.Items {
			if page.Items[i].Label == label {
				list = append(list, page.Items[i])
			}
		}

		if page.NextCursor == nil {
			return list
		}

		in.Cursor = *page.NextCursor
	}
}

func nodesListed(k *fixture) {
	k = k.admin(0, api.Live)
	require.Empty(k, k.nodes("Süd"))
	oldest := k.Now().Add(-time.Minute)
	r := api.NodeReport{ID: uuid.New(), Label: "Süd", Kind: api.NodeEdge, Version: "1.4", Pending: 3, Failed: 1, Oldest: &oldest}
	k.report(r)
	r.Pending, r.Failed, r.Oldest = 0, 0, nil
	k.report(r)
	list := k.nodes("Süd")
	require.Len(k, list, 1)
	require.Equal(k, r, list[0].NodeReport)
	require.Equal(k, k.Now(), list[0].SeenAt)
	mustFail(k.as(k.As(0, api.Live, api.Scopes...)), api.InsufficientScope, api.ListNodes, api.ListNodesInput{})
}

func nodesTenancy(k *fixture) {
	k.admin(0, api.Live).report(api.NodeReport{ID: uuid.New(), Label: "Tenancy", Kind: api.NodeEdge, Version: "1"})
	require.Empty(k, k.admin(0, api.Test).nodes("Tenancy"))
	require.Empty(k, k.admin(1, api.Live).nodes("Tenancy"))
	require.Len(k, k.admin(0, api.Live).nodes("Tenancy"), 1)
}

func nodesPaged(k *fixture) {
	k = k.admin(0, api.Live)
	for i := range 4 {
		k.report(api.NodeReport{ID: uuid.New(), Label: fmt.Sprint("Paged ", i), Kind: api.NodeTerminal, Version: "1"})
	}

	page := do(k, api.ListNodes, api.ListNodesInput{Page: api.Page{Limit: ptr(int64(2))}})
	require.Len(k, page.Items, 2)
	next := do(k, api.ListNodes, api.ListNodesInput{Page: api.Page{Limit: ptr(int64(2)), Cursor: *page.NextCursor}})
	require.LessOrEqual(k, page.Items[1].Label, next.Items[0].Label)
	require.NotEqual(k, page.Items[1].ID, next.Items[0].ID)
	mustFail(k, api.InvalidCursor, api.ListNodes, api.ListNodesInput{Page: api.Page{Cursor: uuid.NewString()}})
}

func nodesRestarted(k *fixture) {
	k = k.admin(0, api.Live)
	id := uuid.New()
	for range 3 { // late reports of the run before arrive after the first ones of the next
		before, after := k.runNode(id, "Restarted"), k.runNode(id, "Restarted")
		require.Empty(k, before.read())
		late := *before
		require.Empty(k, before.read())
		for range 3 {
			require.Empty(k, after.read())
			k.report(late.NodeReport)
			k.report(before.NodeReport)
		}

		require.Empty(k, after.read())
		require.Empty(k, k.nodes("Restarted")[0].Copies)
	}
}

func nodesCopied(k *fixture) {
	k = k.admin(0, api.Live)
	id := uuid.New()
	runs := []*nodeRun{k.runNode(id, "Copied"), k.runNode(id, "Copied"), k.runNode(id, "Copied")}
	all := []string{"Copied", "Copied", "Copied"}
	for range 3 {
		for _, r := range runs {
			r.read()
			k.Advance(10 * time.Second)
		}
	}

	other := k.runNode(uuid.New(), "Copied, but not of this one")
	require.Empty(k, other.read())
	for _, r := range runs {
		require.Equal(k, all, r.read())
	}

	require.Equal(k, all, k.nodes("Copied")[0].Copies)
	require.Empty(k, k.nodes(other.Label)[0].Copies)

	k.Advance(time.Minute)
	require.Empty(k, runs[0].read(), "the others have ended")
	require.Empty(k, k.nodes("Copied")[0].Copies)
	for range 3 {
		runs[0].read()
		runs[1].read()
	}

	require.NotEmpty(k, runs[0].read(), "one of them was cut off")
	require.NotEmpty(k, runs[1].read())
}

func nodesValidated(k *fixture) {
	k = k.admin(0, api.Live)
	good := api.NodeReport{ID: uuid.New(), Label: "Validated", Kind: api.NodeEdge, Version: "1"}
	for _, change := range []func(*api.NodeReport){
		func(r *api.NodeReport) { r.ID = api.NoID },
		func(r *api.NodeReport) { r.Label = "" },
		func(r *api.NodeReport) { r.Label = "a\nb" },
		func(r *api.NodeReport) { r.Version = "" },
		func(r *api.NodeReport) { r.Pending = -1 },
	} {
		bad := good
		change(&bad)
		mustFail(k, api.ValidationError, api.ListChanges, api.ListChangesInput{}, api.ReportedBy(bad))
	}

	require.Empty(k, k.nodes("Validated"))
}
