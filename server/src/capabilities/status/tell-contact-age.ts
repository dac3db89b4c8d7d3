import type { Gates } from '#platform/http/gates.ts';
import type { ReplicaContact } from '#platform/replica/contact.ts';

/** The header itself is the warning, as with X-Meter-Mode: answers from an up-to-date replica do not have it. */
const HEADER = 'x-replica-age';

/** Adds the age of a stale replica in seconds to every answer that is charged or limited. */
export const tellContactAge = (contact: ReplicaContact, gates: Gates): Gates => ({
  ...gates,
  admit: (request, reply, policy, principal, units) => {
    if (contact.isStale()) reply.header(HEADER, String(Math.ceil((contact.ageMs() ?? 0) / 1_000)));
    return gates.admit(request, reply, policy, principal, units);
  },
});
