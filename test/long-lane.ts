/**
 * Test files that only the proofs lane runs, each with what the landing lane still tests of the same promise. Only this
 * table decides, not the folder. To run one: ASSAY_LANE=proofs npx vitest run --project integration FILE.
 */
export const LONG_LANE: Readonly<Record<string, string>> = {
  'demo/demo.engine.test.ts':
    'demo/sample/sample.test.ts, steps.test.ts, cli-options.test.ts: its data, steps and options',
  'server/test/faults/acknowledged-writes.test.ts':
    'server/test/faults/letters-killed.test.ts, jobs-frozen.test.ts: what is committed survives a kill',
  'server/test/faults/anonymous-flood.test.ts':
    'server/test/integration/meter-exact.test.ts: meters without a key',
  'server/test/faults/attack-command.test.ts':
    'server/test/contract/attack-*.test.ts: nested JSON, half-sent bodies and scans, stalled readers',
  'server/test/faults/behind-nginx.test.ts':
    'server/test/contract/http-forwarded.test.ts, http-shutdown.test.ts: forwarded callers, a stop loses no request',
  'server/test/faults/behind-proxies.test.ts':
    'server/test/contract/proxy-limits.test.ts: the same tests with nginx',
  'server/test/faults/engines-frozen.test.ts':
    'server/test/faults/replica-away.test.ts, meter-redis-away.test.ts: either engine away',
  'server/test/faults/events-relay.test.ts':
    'server/test/faults/events-stream.test.ts: events once and in order',
  'server/test/faults/feed-disk-full.test.ts':
    'server/test/faults/feed-downloads.test.ts: a run that fails leaves the last good list',
  'server/test/faults/feed-kill.test.ts':
    'server/test/faults/feed-atomic.test.ts, bulk-load.engine.test.ts: whole lists, a load that resumes',
  'server/test/faults/lists-alone.test.ts':
    'server/test/contract/authentication-lenient.test.ts, blocklists/routes.test.ts: lists without a confirmed key',
  'server/test/faults/live-hanging.test.ts':
    'server/test/faults/live-upstreams.test.ts, server/test/contract/check-live.test.ts: upstreams that hang',
  'server/test/faults/meter-cluster.test.ts':
    'server/test/integration/meter-function.test.ts: the meter in one Redis',
  'server/test/faults/replica-kill.test.ts':
    'server/test/faults/replica-equivalence.test.ts, replica-swap.test.ts: a replica that resumes equals its source',
  'server/test/faults/replicator-stopped.test.ts':
    'server/test/integration/revocation.test.ts, authentication-stale.test.ts: revoked keys are refused',
  'server/test/faults/stream-killed.test.ts':
    'server/test/contract/stream.test.ts, server/test/faults/events-stream.test.ts: a reader resumes without a hole',
  'server/test/integration/meter-over-http.test.ts':
    'server/test/integration/meter-exact.test.ts, meter-gates.test.ts: exactly the limit is granted',
  'web/test/browser/limits.test.ts':
    'the words and times of a refusal in unit tests of web/src; nothing of it in a browser',
  'web/test/browser/lost-scripts.test.ts':
    'web/test/browser/faults.test.ts: a lost script costs its own section',
  'web/test/browser/single-sign-on.test.ts':
    'server/src/capabilities/sso/routes.test.ts: sign-ins through a provider, also one that lies',
};
