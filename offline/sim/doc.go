// Package sim holds the offline node to its promises in made-up worlds.
//
// One seed makes one world: a service, nodes at its sites, people who receive,
// ship, count and look, and everything that goes wrong between them: requests
// and answers that are lost, doubled, late or nonsense, keys that are refused,
// quotas that run out, disks that are full, tear or forget, programs that end
// at any write. Time, chance, disk and network are the world's, so the same
// seed makes the same world again.
//
// After each step nothing told "saved" may be gone, and no work may show
// twice; when the world has healed every queue drains and every node shows
// what the service has.
package sim
