import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createCheck } from '#capabilities/check/index.ts';
import {
  type ContextPagesDeps,
  contextPagesRoutes,
  createFamilyWords,
} from '#capabilities/context-pages/index.ts';
import { type Enrichment, loadReference, openEnrichment } from '#capabilities/enrichment/index.ts';
import { createAssessor, createMissCache } from '#capabilities/judging/index.ts';
import { createArtifacts } from '#platform/artifacts.ts';
import { createLog } from '#platform/log.ts';
import { connectPostgres, type Postgres } from '#platform/postgres.ts';
import { PATIENT } from './database.ts';
import { type RecordedGates, recordedGates, testApp } from './http-app.ts';
import { indicatorOf, type ListedCorpus, openListedCorpus } from './listed-corpus.ts';

export const START_MS = Date.UTC(2026, 8, 1);

export type ContextPagesRig = {
  readonly listed: ListedCorpus;
  readonly deps: ContextPagesDeps;
  readonly enrichment: Enrichment;
  readonly postgres: Postgres;
  readonly recorded: RecordedGates;
  readonly get: (url: string, from?: FastifyInstance) => Promise<{ status: number; body: Body }>;
  /** Score, level, word and action of `GET /check`. */
  readonly checked: (value: string) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
};
// biome-ignore lint/suspicious/noExplicitAny: the tests read answers of four shapes.
export type Body = any;

/** The context pages over a real corpus, which `fill` loads first. */
export async function openContextPages(
  fill: (listed: ListedCorpus) => Promise<unknown>,
  networks: readonly string[],
): Promise<ContextPagesRig> {
  const log = createLog('silent');
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-context-'));
  const listed = await openListedCorpus(START_MS);
  const { system, clock, corpus } = listed;
  await fill(listed);
  await loadReference({ clock, transaction: system.transaction }, 'asn', [
    { label: 'asn', bytes: Buffer.from(networks.join('\n')), modifiedAtMs: START_MS },
  ]);
  const postgres = connectPostgres(
    { DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 3 },
    'assay_app',
    PATIENT,
  );
  const artifacts = createArtifacts({ postgres, dataDir, log, clock });
  const enrichment = await openEnrichment({ postgres, artifacts, dataDir, log });
  const judging = { corpus, misses: createMissCache(clock), clock, enrichment };
  const assess = createAssessor(judging);
  const wordsOf = createFamilyWords({ clock, postgres });
  const deps: ContextPagesDeps = { corpus, assess, enrichment, clock, postgres, wordsOf };
  const check = createCheck({ ...judging, passwords: { find: () => null } as never });
  const recorded = recordedGates();
  const app = testApp(contextPagesRoutes(deps), { gates: recorded.gates });
  return {
    listed,
    deps,
    enrichment,
    postgres,
    recorded,
    get: async (url, from = app) => {
      const answer = await from.inject({ method: 'GET', url });
      return { status: answer.statusCode, body: answer.json() };
    },
    checked: (value) => checkedBy(check, value),
    close: async () => {
      await enrichment.close();
      await postgres.close();
      await listed.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function checkedBy(
  { check }: ReturnType<typeof createCheck>,
  value: string,
): Promise<Record<string, unknown>> {
  const indicator = indicatorOf(value);
  const { riskScore, evidence } = await check({ indicator, enrichment: 'standard', asOfMs: null });
  return {
    score: riskScore?.score,
    level: riskScore?.level,
    word: riskScore?.word,
    action: evidence?.recommendedAction,
  };
}
