import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FeedsWorkerDeps } from '#capabilities/feeds/index.ts';
import { nothingWatched } from '#capabilities/webhooks/index.ts';
import { systemClock } from '#platform/clock.ts';
import { loadConfig } from '#platform/config.ts';
import type { Outbound } from '#platform/outbound.ts';
import { allWorkerParts, type WorkerServices } from './build-worker.ts';
import { statisticsDeps } from './statistics.ts';

const clock = systemClock();
const SERVICES = {
  blocklists: {
    clock,
    openArtifact: async () => null,
    source: { entriesOf: async function* () {}, membershipVersion: async () => '' },
  },
  clock,
  statistics: statisticsDeps(clock),
  feeds: {} as FeedsWorkerDeps,
  openNetworks: async () => null,
  weights: {} as WorkerServices['weights'],
  judge: () => null,
  mailer: null,
  webhookOutbound: {} as Outbound,
  watchersOf: nothingWatched,
  canary: null,
  lookups: {} as WorkerServices['lookups'],
};
const URLS = { REFERENCE_GEO_URL: 'https://files.example/geo.mmdb' };
const BASE = { ASSAY_ENV: 'test', DATABASE_URL: 'postgres://127.0.0.1/none', REDIS_PREFIX: 'none' };

const fetching = allWorkerParts({ ...SERVICES, config: loadConfig({ ...BASE, ...URLS }) });
const byHand = allWorkerParts({
  ...SERVICES,
  config: loadConfig({ ...BASE, ...URLS, FEEDS_ENABLED: 'false' }),
});

const namesOf = (parts: typeof fetching) => parts.flatMap(({ jobs }) => jobs.map(({ name }) => name)).sort();

const ALWAYS = [
  'accounts.answer',
  'accounts.forget',
  'alerts.hourly-letter',
  'alerts.resolve-ended',
  'analytics.refresh',
  'billing.forget',
  'blocklists.build',
  'blocklists.prune-pulls',
  'cases.seal',
  'corpus.sweep-fading',
  'cve-watch.domains',
  'cve-watch.match',
  'cve-watch.match-all',
  'cve-watch.reopen',
  'cve-watch.scan',
  'cve.merge',
  'cve.quality',
  'cve.retention',
  'factors.forget',
  'feeds.lineage',
  'feeds.reliability',
  'forms.forget',
  'letters.forget',
  'live-answers.trim',
  'mmdb.build',
  'monitoring.check',
  'monitoring.keep',
  'monitoring.lookalikes',
  'observations.trim',
  'org-indicators.forget',
  'organizations.erase',
  'organizations.forget-invitations',
  'ransomware.infer',
  'risk-brief.write',
  'search.follow',
  'signals.train',
  'sso.forget',
  'sso.prove-domains',
  'standing.keep',
  'standing.walk',
  'status.forget',
  'storage.largest',
  'taxii.keep',
  'taxii.rebuild',
  'usage.forget',
  'usage.tell-quota',
  'webhooks.end-failing',
  'webhooks.forget',
  'webhooks.replay',
  'weights.learn',
];

test('the worker runs every job of the capabilities', () => {
  expect(namesOf(fetching)).toEqual(
    [
      ...ALWAYS,
      'datasets.run',
      'datasets.schedule',
      'feeds.retention',
      'feeds.run',
      'feeds.schedule',
      'reference.fetch',
    ].sort(),
  );
});

test('without fetching, the jobs that ask publishers are left out', () => {
  expect(namesOf(byHand)).toEqual(ALWAYS);
});

test('every jobs.ts of a capability is a part of the worker', () => {
  const files = globSync('capabilities/**/jobs.ts', { cwd: join(import.meta.dirname, '..') });
  expect(fetching).toHaveLength(files.length);
});

test('every schedule names a job of its own part', () => {
  for (const { jobs, crons } of fetching)
    for (const cron of crons) expect(jobs.map(({ name }) => name)).toContain(cron.job);
});
