package session

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
)

// Operators reads the operators of the organization, sorted by name.
func (s *Site) Operators(ctx context.Context) ([]api.Operator, error) {
	list, _, err := fetchRows(100, api.MaxOperators, func(page api.Page) (api.List[api.Operator], error) {
		return Call(ctx, s, api.ListOperators, api.ListOperatorsInput{Page: page})
	})
	if err != nil {
		return nil, err
	}

	slices.SortFunc(list, func(a, b api.Operator) int { return cmp.Compare(a.Name, b.Name) })
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	s.people = list

	return list, nil
}

// FollowOperators reads the operators now, as far as that is fast, and then again and again.
func (s *Site) FollowOperators(ctx context.Context) {
	first, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_, _ = s.Operators(first)
	go func() {
		tick := time.NewTicker(30 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_, _ = s.Operators(ctx)
			case <-ctx.Done():
				return
			}
		}
	}()
}

// People returns the operators who may work here, as Operators read them last.
func (s *Site) People() (people []tui.Operator) {
	permissions := s.Rules().Worker.Permissions()
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	for i := range s.people {
		o := &s.people[i]
		if o.Removed {
			continue
		}

		p := tui.Operator{
			Name:         o.Name,
			RequireProof: true,
			Supervisor:   o.Role == api.Supervisor,
			Permissions:  permissions,
		}
		p.OpenBadge = func(code string) bool {
			key := o.OpenBadge(code)
			return key != nil && (o.PIN != "" || s.addKey(o, key))
		}
		if o.PIN != "" {
			p.Check = func(pin string) bool { return s.addKey(o, o.OpenPIN(pin)) }
		}
		people = append(people, p)
	}

	return people
}

// Language returns the language of an operator, or "".
func (s *Site) Language(operator string) string {
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	for i := range s.people {
		if s.people[i].Name == operator {
			return s.people[i].Language
		}
	}
	return ""
}

// PublicKeys returns what the service keeps of a badge and a PIN; "" of "".
func (s *Site) PublicKeys(badge, pin string) (badgeKey, pinKey string) {
	if badge != "" {
		badgeKey = api.NewBadge(s.organization(), badge)
	}
	if pin != "" {
		pinKey = api.NewPIN(pin)
	}
	return badgeKey, pinKey
}

// addKey keeps the key of a person, and reports whether there is one.
func (s *Site) addKey(o *api.Operator, key ed25519.PrivateKey) bool {
	if key == nil {
		return false
	}
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	if s.prove == nil {
		s.prove = map[string]func(*api.Request){}
	}
	s.prove[o.Name] = func(req *api.Request) { req.Prove(o.OrganizationID, o.Environment, key) }

	return true
}

// Prove adds the proof of who approved a write, or else of its operator, if they have shown their
// badge or PIN here.
func (s *Site) Prove(ctx context.Context, req *api.Request) {
	s.worker.mu.Lock()
	prove := s.prove[cmp.Or(req.ApprovedBy, req.Operator)]
	s.worker.mu.Unlock()
	if prove == nil || req.Proof != "" || !req.Spec.Writes() {
		return
	}
	if write := s.provenWrite(ctx, req); write != nil {
		prove(write)
		req.Proof = write.Proof
	}
}

// proving is a service that gets the writes of a site with their proofs.
type proving struct {
	api.Service
	site *Site
}

func (p proving) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	p.site.Prove(ctx, req)
	return p.Service.Do(ctx, req)
}

// provenWrite returns the write that a proof signs: for a decision about offline work, the one
// that is sent, and nil if none is.
func (s *Site) provenWrite(ctx context.Context, req *api.Request) *api.Request {
	var w api.Work
	operator, approvedBy := req.Operator, req.ApprovedBy
	switch in := req.Input.(type) {
	case *api.ReplaceWorkInput:
		w = api.Work{Operation: in.Operation, Target: in.Target, Body: in.Body, Key: req.IdempotencyKey}
	case *api.WorkKeyInput:
		list, err := CallNode(ctx, s, api.ListWork, api.ListWorkInput{Key: in.Key})
		if err != nil || len(list.Items) == 0 {
			return nil
		}
		w = list.Items[0]
		if by := cmp.Or(approvedBy, operator); !strings.EqualFold(by, w.Operator) {
			approvedBy = by
		}
		operator = w.Operator

	default:
		if api.FindOperation(req.Spec.ID) == nil {
			return nil
		}
		return req
	}

	spec := api.FindOperation(w.Operation)
	if spec == nil {
		return nil
	}

	input, err := spec.Decode(func(string) string { return spec.PathParam(w.Target) }, nil, w.Body)
	if err != nil {
		return nil
	}

	return &api.Request{Spec: spec, Input: input, IdempotencyKey: w.Key, Operator: operator, ApprovedBy: approvedBy}
}
