import { createIdempotency } from '#capabilities/access/idempotent.ts';
import { alertsRoutes } from '#capabilities/alerts/index.ts';
import { EMPTY_BOOK, type NetworkBook } from '#capabilities/enrichment/index.ts';
import { openLetters } from '#capabilities/letters/index.ts';
import { checkDue } from '#capabilities/monitoring/check-due.ts';
import type { KeepDeps } from '#capabilities/monitoring/desk.ts';
import { keepWatched } from '#capabilities/monitoring/follow-watched.ts';
import { createJudge } from '#capabilities/monitoring/judge-target.ts';
import type { FacetLookups } from '#capabilities/monitoring/look-up-facets.ts';
import { monitoringRoutes } from '#capabilities/monitoring/routes.ts';
import { missing } from '#capabilities/providers/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import type { Principal } from '#platform/http/principal.ts';
import { connectPostgres, type Postgres, sql } from '#platform/postgres.ts';
import { createSecrets } from '#platform/secrets.ts';
import { PATIENT } from './database.ts';
import { CALLER, recordedGates, testApp } from './http-app.ts';
import { type ListedCorpus, openListedCorpus } from './listed-corpus.ts';

export const C2 = {
  category: 'c2',
  reliability: 0.95,
  letter: 'A',
  fpRisk: 'low',
  redistributable: true,
} as const;

const OFF = {
  name: 'off',
  isOn: false,
  cached: async () => missing('off'),
  ask: async () => missing('off'),
  warm: () => undefined,
};
/** Live lookups that are switched off, as on a service without them. */
export const NO_LOOKUPS: FacetLookups['providers'] = { addresses: OFF, rdap: OFF, tls: OFF, ct: OFF };

export type Told = {
  readonly type: string;
  readonly accountId: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type MonitoringRig = {
  readonly listed: ListedCorpus;
  readonly postgres: Postgres;
  readonly deps: KeepDeps;
  readonly lookups: { providers: FacetLookups['providers']; book: () => NetworkBook };
  readonly limits: { items: number };
  readonly as: (caller: Principal) => void;
  readonly call: (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: Record<string, unknown> }>;
  /** Watches values for the current caller and checks them, as the worker does. */
  readonly watch: (...values: readonly string[]) => Promise<void>;
  readonly keep: () => ReturnType<typeof keepWatched>;
  readonly check: () => ReturnType<typeof checkDue>;
  /** The events since the last call. */
  readonly told: () => Promise<readonly Told[]>;
  readonly clear: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Monitoring and alerts on a corpus of their own, with letters that wait for a worker. */
export async function openMonitoringRig(startMs: number): Promise<MonitoringRig> {
  const listed = await openListedCorpus(startMs);
  const { clock, system } = listed;
  const postgres = connectPostgres(
    { DATABASE_URL: listed.databaseUrl, POSTGRES_POOL_MAX: 4 },
    'assay_app',
    PATIENT,
  );
  const sources = {
    corpus: listed.corpus,
    enrichment: { book: () => EMPTY_BOOK },
    signals: { book: () => NO_SIGNAL_BOOK },
    clock,
    refresh: () => listed.built.replica.refresh(),
  };
  const letters = openLetters({
    clock,
    config: {
      SMTP_URL: 'smtp://127.0.0.1:1',
      SECRET_KEY: `1:${'s'.repeat(64)}`,
      PUBLIC_WEB_URL: 'https://app.example.test',
      PUBLIC_API_URL: 'https://api.example.test',
    },
  });
  const judge = createJudge(sources);
  const deps: KeepDeps = {
    checking: { ...sources, judge },
    mail: { letters, publicWebUrl: 'https://app.example.test' },
  };
  const lookups = { providers: NO_LOOKUPS, book: () => EMPTY_BOOK };
  const limits = { items: 10_000 };
  let caller: Principal = CALLER;
  let runs = 0;
  const idempotency = createIdempotency({ postgres, clock, secrets: createSecrets(`1:${'a'.repeat(64)}`) });
  const app = testApp(
    [
      ...monitoringRoutes({
        clock,
        judge,
        lookups,
        postgres: idempotency.postgres,
        own: { find: () => null },
        limitOf: () => limits.items,
      }),
      ...alertsRoutes({ clock, postgres: idempotency.postgres }),
    ],
    { gates: recordedGates({ identify: () => caller, idempotent: idempotency.idempotent }).gates },
  );
  const call: MonitoringRig['call'] = async (method, path, body, headers = {}) => {
    const answer = await app.inject({
      method,
      url: path,
      headers,
      ...(body !== undefined && { payload: body }),
    });
    return { status: answer.statusCode, body: JSON.parse(answer.body) };
  };
  const nextRun = () => {
    runs += 1;
    return { run: `run-${runs}`, transaction: system.transaction };
  };
  const keep = () => keepWatched(deps, { ...nextRun(), waitMs: 0 });
  return {
    listed,
    postgres,
    deps,
    lookups,
    limits,
    as: (next) => {
      caller = next;
    },
    call,
    keep,
    watch: async (...values) => {
      for (const value of values) {
        const { status, body } = await call('POST', '/monitoring', { value });
        if (status !== 201) throw new Error(`${value} is not watched: ${JSON.stringify(body)}`);
      }
      await keep();
    },
    check: () => {
      const { run, transaction } = nextRun();
      return checkDue(deps, lookups, { transaction, jobId: run, signal: new AbortController().signal });
    },
    told: async () => {
      const { rows } = await sql<Told>`
        with gone as (delete from event_outbox returning draft, type, account_id, payload)
        select type, account_id as "accountId", payload from gone order by draft`.execute(system.db);
      return rows;
    },
    clear: async () => {
      caller = CALLER;
      limits.items = 10_000;
      lookups.providers = NO_LOOKUPS;
      for (const table of [
        'alert',
        'alert_count',
        'alert_day',
        'watch_item',
        'watch_account',
        'watch_spelling',
        'watch_target',
        'watch_request',
        'watch_new_name',
        'event_outbox',
        'letter',
      ])
        await sql`delete from ${sql.table(table)}`.execute(system.db);
    },
    close: async () => {
      await app.close();
      await postgres.close();
      await listed.close();
    },
  };
}
