// Package sim tests packages offline, outbox, journal and edge against
// simulated failures, reproducibly.
//
// # What runs
//
// A simulation is one single-threaded run of real nodes against a real ledger.
// A seed determines it completely: time, randomness, disk, network and replicas
// are simulated, so the same seed gives the same run, event by event.
//
//   - A service is a ledger.Ledger on a memStore. It can be restored from last
//     night's copy, which starts a new epoch.
//   - A basicService answers instead of it in some simulations. It has the
//     documented operations only and forgets idempotency keys after a day, so
//     the nodes poll it instead of reading its change feed.
//   - A tenant is an organization in one environment, with its products and
//     locations. There are four; one or more are in use.
//   - A site is an offline.Node of a tenant with its disk, replicas, clock and
//     API key. At some sites, the edge sites, devices use the node through an
//     edge.Service.
//   - A worker performs operations: through a site's node, or directly at the
//     service (the center).
//   - A disk is the journal.Folder of a node. It knows which writes are flushed;
//     the others may survive a power failure wholly, in part or not at all.
//   - A replicaSet is the replicas.Set of a node.
//   - An apiKey identifies a site to the service. It can be revoked, replaced, or
//     of another tenant.
//   - An auditor follows the service's changes for a tenant and checks them.
//
// push and pull call NextBatch, SendDone, NextRead and ReadDone as offline's Run
// does. Requests travel through send, which loses, duplicates, delays and
// reorders them. A fault is an event worth counting: mostly something that goes
// wrong, listed with its name in faultNames.
//
// # What happens
//
// A simulation lasts two or three days (runDays). A day is divided into
// intervals of fifteen minutes, each with its own conditions: which sites are
// offline, which disks and replicas fail, which keys are denied, which clocks
// are wrong. At night the disks and the service are backed up and some programs
// restart. Then heal ends all faults, resolves all operations that wait for a
// person, and lets the queues drain.
//
// # What is checked
//
// After every interval:
//
//   - the movements of each balance form a chain and add up to the balance;
//   - an idempotency key has one effect and one answer;
//   - an operation reported as saved exists, and one reported as not saved does
//     not;
//   - an operation that is done at a node is done at the service, unless the
//     service was restored;
//   - no tenant has data of another;
//   - after each site's work, the node's view equals a full replay
//     (offline.Node.Verify).
//
// After heal, every queue is empty, every operation reported as done is done or
// was resolved by a person, every node shows what the service shows, and a directory
// that was copied and is in use twice has got another node id.
//
// # Running it
//
// TestSimulation runs many seeds and logs how often each fault occurred; it
// fails if one never did. A failure prints the command that repeats its seed:
//
//	BINCARD_SEED=42 BINCARD_CASES=1 go test ./offline/sim -run 'TestSimulation$' -v
//
// BINCARD_CASES is the number of seeds, from BINCARD_SEED or 1 on, and
// BINCARD_MINUTES how long to run instead.
package sim_test
