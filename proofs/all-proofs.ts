import { ACCOUNT_PROOFS } from './account-proofs.ts';
import { CASE_PROOFS } from './case-proofs.ts';
import { CVE_PROOFS } from './cve-proofs.ts';
import { DASHBOARD_PROOFS } from './dashboard-proofs.ts';
import { INTELLIGENCE_PROOFS } from './intelligence-proofs.ts';
import { LIST_PROOFS } from './list-proofs.ts';
import { OPERATION_PROOFS } from './operation-proofs.ts';
import type { Proof } from './proof.ts';
import { SCAN_PROOFS } from './scan-proofs.ts';
import { TRAVEL_PROOFS } from './travel-proofs.ts';
import { engines, large } from './vitest-runs.ts';
import { WATCH_PROOFS } from './watch-proofs.ts';
import { WEBHOOK_PROOFS } from './webhook-proofs.ts';

/** Every proof at full size. A test file that has a full form, or that runs in this lane alone, belongs to one. */
export const PROOFS: readonly Proof[] = [
  {
    name: 'readme-walk',
    shows:
      'Every command of README runs in order on a clean clone, without a network and with engines of its own, and prints what README says.',
    promises: [],
    run: large('readme-walk'),
  },
  ...LIST_PROOFS,
  {
    name: 'letters-killed',
    shows:
      '1,000 letters, and workers that live one second each before they are killed: none is lost, and those that are doubled have the same Message-ID.',
    promises: ['D1', 'W3'],
    run: engines('faults/letters-killed'),
  },
  {
    name: 'engines-away',
    shows: 'With PostgreSQL or Redis frozen or away, checks are answered from the replica.',
    promises: ['A1', 'A2'],
    run: engines('faults/engines-frozen', 'faults/replica-away', 'faults/meter-redis-away'),
  },
  {
    name: 'replica-bit-flips',
    shows: 'A flipped bit in the replica is found by the keyed set hash and the replica is built again.',
    promises: ['R2'],
    run: engines('faults/replica-bitflip'),
  },
  {
    name: 'replica-killed',
    shows:
      'A replicator that is killed while it writes resumes at its number, and a swap is whole or not at all.',
    promises: ['R2', 'F1'],
    run: engines('faults/replica-kill', 'faults/replica-swap', 'faults/replica-equivalence'),
  },
  {
    name: 'replica-large',
    shows: 'A replica of millions of entries is built, verified, read and changed within its limits.',
    promises: ['R2'],
    run: large('replica'),
  },
  {
    name: 'jobs-taken-over',
    shows: 'A dead or stopped worker loses its lease; its jobs are taken over and its commits are refused.',
    promises: ['W3'],
    run: engines('faults/jobs-lease', 'faults/jobs-frozen'),
  },
  {
    name: 'events-relayed',
    shows: 'Every committed event is relayed, also when the relay is killed between two of them.',
    promises: ['W1'],
    run: engines('faults/events-relay', 'faults/events-stream', 'faults/events-reader'),
  },
  {
    name: 'meters-exact',
    shows: 'Meters grant exactly their limit from many processes, and a loss of Redis is bounded.',
    promises: ['Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'],
    run: engines(
      'integration/meter-exact',
      'integration/meter-function',
      'integration/meter-gates',
      'integration/meter-ledger',
      'integration/meter-over-http',
      'faults/meter-cluster',
      'faults/anonymous-flood',
      'faults/meter-redis-loss',
    ),
  },
  {
    name: 'keys-revoked',
    shows: 'A revoked key is refused by every process within a second.',
    promises: ['S1', '3.K'],
    run: engines(
      'integration/revocation',
      'contract/authentication',
      'contract/authentication-stale',
      'faults/replicator-stopped',
      'contract/key-lineage',
    ),
  },
  {
    name: 'no-packet-inside',
    shows: 'No form of an address makes the service send a packet to a special-purpose address.',
    promises: ['S3', '3.S'],
    run: engines(
      'faults/egress-netns',
      'faults/egress-rules',
      'faults/egress-streams',
      'faults/outbound-peers',
    ),
  },
  {
    name: 'overload-shed',
    shows: 'Overload is shed by class, slow senders and slow readers are closed.',
    promises: ['A7', 'A8', 'A10', '5.5', '5.11'],
    run: engines(
      'contract/attack-nested-json',
      'contract/attack-scan-slots',
      'contract/http-pressure',
      'contract/http-streams',
      'contract/http-status',
    ),
  },
  {
    name: 'attacks-hold',
    shows:
      'Every attack of npm run attack, at ten times its first strength, beside a caller that is always answered.',
    promises: ['A7', 'A8', 'A10', '3.K'],
    run: engines('faults/attack-command'),
  },
  {
    name: 'mixed-hour',
    shows:
      'An hour of attacks and load with both engines killed in turn: no wrong answer, over-grant or lost write, flat memory.',
    promises: ['A1', 'A2', 'A7', 'D1', 'D2', 'Q1'],
    run: large('mixed-hour'),
  },
  {
    name: 'restart-loses-nothing',
    shows:
      'A shutdown finishes the requests in flight; three processes and two nodes behind a real nginx restart in turn under 100,000 requests.',
    promises: ['R1', 'A8'],
    run: engines('contract/http-shutdown', 'faults/behind-nginx'),
  },
  {
    name: 'writes-kept',
    shows:
      'Of 5,000 acknowledged writes of every kind none is lost while the API, the worker and PostgreSQL are killed.',
    promises: ['D1', 'D2'],
    run: engines('faults/acknowledged-writes'),
  },
  {
    name: 'org-writes-kept',
    shows:
      'Of 10,000 acknowledged reports, revocations and restorations of organizations none is lost or done twice while the API, the worker and PostgreSQL are killed in 20 rounds.',
    promises: ['D1', 'D3'],
    run: large('org-writes'),
  },
  {
    name: 'writes-kept-without-power',
    shows:
      'What reached the disk before a power cut holds every acknowledged write: PostgreSQL recovers from a copy of its disk image.',
    promises: ['D1', 'D2'],
    run: large('power-cut'),
  },
  {
    name: 'clock-jumps',
    shows: 'The clock of a node jumps by an hour and a day, ahead and back, under load; no check fails.',
    promises: ['R3'],
    run: engines('faults/clock-jumps'),
  },
  {
    name: 'writes-once',
    shows: 'A write that is retried many times happens once.',
    promises: ['D3'],
    run: { kind: 'vitest', project: 'integration', files: ['server/src/capabilities/access/routes.test.ts'] },
  },
  {
    name: 'tenants-apart',
    shows: 'An account sees and changes nothing of another account.',
    promises: ['S2'],
    run: {
      kind: 'vitest',
      project: 'integration',
      files: [
        'server/src/capabilities/access/store.test.ts',
        'server/src/capabilities/reports/routes.test.ts',
        'server/src/capabilities/org-indicators/routes.test.ts',
        'server/test/contract/org-checks.test.ts',
      ],
    },
  },
  {
    name: 'tenants-fuzzed',
    shows:
      "Twenty thousand requests over every route, from two organizations in four roles, with keys and sessions of every origin, show and change nothing of the other; six thousand more do nothing above their role. Every route that names a case, an alert, a watched item, a webhook or a delivery is asked by each of them for what is the other's.",
    promises: ['S2'],
    run: engines(
      'contract/tenants-apart',
      'contract/tenants-aimed',
      'contract/tenants-taxii',
      'contract/roles-fuzzed',
    ),
  },
  {
    name: 'upstreams-hang',
    shows:
      'While every live upstream hangs, basic checks keep their pace and standard answers within its patience.',
    promises: ['A4'],
    run: large('live-hanging'),
  },
  {
    name: 'upstreams-fail',
    shows:
      'Live upstreams that hang, refuse, flood or answer nonsense cost their own facet and nothing else.',
    promises: ['A4'],
    run: engines(
      'faults/live-upstreams',
      'faults/live-hanging',
      'faults/live-context',
      'faults/live-silent-server',
      'contract/check-live',
      'contract/contacts-slow',
      'contract/lookups',
      'contract/lookups-intelowl',
      'contract/assistant-service',
    ),
  },
  {
    name: 'corpus-imported',
    shows:
      'The whole real corpus is imported, replicated, judged within the accuracy gates and walked; 300 indicators chosen by hand are answered as an expert expects.',
    promises: ['F3'],
    run: large('real-corpus', 'lineage'),
  },
  {
    name: 'corpus-walked',
    shows: 'Every listing of a large corpus is replicated, and a walk over it finds nothing un-listable.',
    promises: ['F3', 'R2'],
    run: engines('integration/corpus-walk', 'integration/corpus-replica'),
  },
  {
    name: 'changes-seen-soon',
    shows: 'From the commit of a merge to two nodes answering with it.',
    promises: [],
    run: large('feed-lag'),
  },
  {
    name: 'past-answers',
    shows: 'A thousand answers are given again to the byte for a past day.',
    promises: [],
    run: engines('integration/as-of'),
  },
  {
    name: 'names-searched',
    shows: 'Planted look-alikes are found by their technique among two million names.',
    promises: [],
    run: large('search'),
  },
  {
    name: 'names-followed',
    shows: 'Names become searchable while lists change.',
    promises: [],
    run: engines('integration/names'),
  },
  {
    name: 'months-turn',
    shows: 'Fifty streams a month are granted however they are spread over services and hours.',
    promises: ['Q6'],
    run: engines('contract/check-stream-month'),
  },
  {
    name: 'engine-edges',
    shows:
      'A stopped Redis, generated snapshots and the schedule of sources, with the run counts of this lane.',
    promises: [],
    run: {
      kind: 'vitest',
      project: 'integration',
      files: [
        'server/src/platform/redis/redis.engine.test.ts',
        'server/src/capabilities/feeds/ingest/ingest-snapshot.engine.test.ts',
        'server/test/integration/feed-schedule.test.ts',
        'demo/demo.engine.test.ts',
      ],
    },
  },
  {
    name: 'standings-true',
    shows:
      'After thousands of changes of lists, guards, sources and hours every standing equals what a check says, and a walk corrects nothing.',
    promises: [],
    run: {
      kind: 'vitest',
      project: 'integration',
      files: ['server/src/capabilities/standing/standing.engine.test.ts'],
    },
  },
  {
    name: 'publications-real',
    shows:
      'A first import of 4.26 million indicators is published without a command, with autovacuum off, also beside a busy loop on each core; no status says operational before.',
    promises: [],
    run: large('publications-real'),
  },
  {
    name: 'standings-real',
    shows:
      'The standings of 3.3 million real indicators equal checks after the import, 20,000 changes and 72 hours of refetches.',
    promises: [],
    run: large('standings-real'),
  },
  {
    name: 'properties',
    shows: 'Rules hold on every generated case: the unit tests with the run counts of this lane.',
    promises: [],
    run: {
      kind: 'vitest',
      project: 'unit',
      files: ['server/src', 'sdk', 'web/src', 'server/test/stix-objects.test.ts'],
    },
  },
  {
    name: 'parsers-fuzzed',
    shows: 'Ten minutes of changed texts and broken archives upset no parser.',
    promises: ['3.F'],
    run: { kind: 'program', file: 'server/test/fuzz/fuzz-formats.ts', args: ['--seconds', '600'] },
  },
  ...ACCOUNT_PROOFS,
  ...WEBHOOK_PROOFS,
  ...CASE_PROOFS,
  ...TRAVEL_PROOFS,
  ...SCAN_PROOFS,
  ...CVE_PROOFS,
  ...WATCH_PROOFS,
  ...DASHBOARD_PROOFS,
  ...OPERATION_PROOFS,
  ...INTELLIGENCE_PROOFS,
];
