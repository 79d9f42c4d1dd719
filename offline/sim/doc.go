// Package sim holds the offline node to its promises in made-up worlds.
//
// One seed makes one world: a service with two organizations, each in both
// environments; nodes and edges at their sites; people who receive, ship,
// count, end what others work on and settle what was refused; some days of
// time; and everything that goes wrong between them. Requests and answers are
// lost, doubled, late, overtaken or nonsense; keys are revoked, replaced, or of
// somebody else; quotas run out; disks are full, fail, tear, forget, or are put
// back as they were last night, the service's too; clocks jump; programs end at
// any write. Some worlds have a service with the documented operations alone,
// which forgets keys.
//
// Time, chance, disk and network are the world's, so the same seed makes the
// same world again.
//
// At each look the movements follow on one another and add up to the balances;
// a key has one effect and one answer; nothing told "saved" is gone, nothing
// told "not saved" is kept, and what was told done is at the service, unless
// that was restored; nothing of one tenant is another's. When the world has
// healed every queue drains, what was told done is done again or was put before
// a person, and every node shows what the service has.
//
// A run of many worlds tells how often each thing went wrong, and fails where
// one never did.
package sim
