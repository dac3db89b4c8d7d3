import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { expect } from 'vitest';
import { createIdempotency } from '#capabilities/access/idempotent.ts';
import { type CaseLinks, casesRoutes } from '#capabilities/cases/index.ts';
import { sealDay } from '#capabilities/cases/seal-day.ts';
import type { Principal } from '#platform/http/principal.ts';
import type { Route } from '#platform/http/route.ts';
import { asSystem, connectPostgres, type Postgres } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createTestDatabase, PATIENT } from './database.ts';
import { CALLER, recordedGates, testApp } from './http-app.ts';

export const RIG_NOW = Date.UTC(2026, 10, 16, 12);
export const DAY_MS = 86_400_000;

export type MadeCase = {
  id: string;
  status: string;
  priority: string;
  evidence: { id: string; kind: string; title: string; payload: object; hash: string; createdAt: string }[];
  updatedAt: string;
};
export type Answer = {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Record<string, unknown>;
};

export type CasesRig = {
  readonly app: FastifyInstance;
  readonly databaseUrl: string;
  readonly system: Postgres;
  readonly postgres: Postgres;
  /** A superuser, whom no grant holds back. */
  readonly owner: pg.Client;
  /** The limits in the plan of every caller. */
  readonly limits: { cases: number; evidenceBytes: number };
  readonly clock: { now: () => number; monotonic: () => number; set: (ms: number) => void };
  readonly as: (caller: Principal) => void;
  readonly call: (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  readonly open: (body?: object) => Promise<MadeCase>;
  readonly add: (id: string, body?: object) => Promise<MadeCase>;
  /** Runs the daily job as the worker does, for the day before the rig's clock. */
  readonly seal: () => ReturnType<typeof sealDay>;
  readonly close: () => Promise<void>;
};

export type RigParts = { readonly postgres: Postgres; readonly clock: CasesRig['clock'] };

/** None of these tests is about time, and fifty writers on cores that other work shares may wait for seconds. */
const DEADLINE_MS = 600_000;
const withoutHaste = (route: Route): Route => ({
  ...route,
  policy: { ...route.policy, deadlineMs: DEADLINE_MS },
});

/** The routes of cases over a database of their own; `more` adds those of other capabilities. */
export async function createCasesRig(
  links: Partial<CaseLinks> = {},
  more: (parts: RigParts) => readonly Route[] = () => [],
): Promise<CasesRig> {
  const database = await createTestDatabase();
  const config = { DATABASE_URL: database.url, POSTGRES_POOL_MAX: 8 };
  const system = asSystem(config);
  const postgres = connectPostgres(config, 'assay_app', PATIENT);
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  let nowMs = RIG_NOW;
  let caller: Principal = CALLER;
  const clock = {
    now: () => nowMs,
    monotonic: () => performance.now(),
    set: (ms: number) => {
      nowMs = ms;
    },
  };
  const idempotency = createIdempotency({ postgres, clock, secrets: createSecrets(`1:${'a'.repeat(64)}`) });
  const absent = async () => false;
  const parts = { postgres: idempotency.postgres, clock };
  const limits = { cases: 1_000, evidenceBytes: 64 * 1_048_576 };
  const app = testApp(
    [
      ...casesRoutes({
        ...parts,
        links: { alert: absent, finding: absent, report: absent, ...links },
        limitsOf: () => limits,
      }),
      ...more(parts),
    ].map(withoutHaste),
    { gates: recordedGates({ identify: () => caller, idempotent: idempotency.idempotent }).gates },
  );
  const call: CasesRig['call'] = async (method, path, body, headers = {}) => {
    const answer = await app.inject({
      method,
      url: path,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return {
      status: answer.statusCode,
      body: isJson && answer.body !== '' ? JSON.parse(answer.body) : null,
      text: answer.body,
      headers: answer.headers,
    };
  };
  const asked = async (status: number, ...request: Parameters<CasesRig['call']>): Promise<MadeCase> => {
    const answer = await call(...request);
    expect(answer.status, answer.text).toBe(status);
    return answer.body as MadeCase;
  };
  return {
    app,
    databaseUrl: database.url,
    system,
    postgres,
    owner,
    limits,
    clock,
    call,
    as: (next) => {
      caller = next;
    },
    open: (body = { title: 'Beacon on host 12' }) => asked(201, 'POST', '/cases', body),
    add: (id, body = { kind: 'note', title: 'Seen', payload: { host: 'ws-12' } }) =>
      asked(200, 'POST', `/cases/${id}/evidence`, body),
    seal: () => sealDay(clock, { transaction: system.transaction, signal: new AbortController().signal }),
    close: async () => {
      await owner.end();
      await Promise.all([system.close(), postgres.close()]);
      await database.drop();
    },
  };
}
