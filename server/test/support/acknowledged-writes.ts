import pg from 'pg';
import { mergeSnapshot } from '#capabilities/corpus/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { systemClock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import { sleep } from './eventually.ts';
import type { Service } from './service.ts';
import type { ServiceAccount } from './service-accounts.ts';

/** One write that was answered with success: its kind and what a later look must find. */
export type Acknowledged = { readonly kind: WriteKind; readonly id: string };
export type WriteKind =
  | 'key.create'
  | 'key.rotate'
  | 'key.revoke'
  | 'session.create'
  | 'report.save'
  | 'report.delete'
  | 'source.submit'
  | 'list.merge';
export const WRITE_KINDS: readonly WriteKind[] = [
  'key.create',
  'key.rotate',
  'key.revoke',
  'session.create',
  'report.save',
  'report.delete',
  'source.submit',
  'list.merge',
];

const WEB_URL = 'http://127.0.0.1:8080';
/** A caller waits this long for an answer; a killed process closes its connections at once. */
const ANSWER_MS = 20_000;
const PAUSE_MS = 100;
const RESULT = { query: '203.0.114.7', malicious: false, apiVersion: 'v2' };

export const WRITES_ENV = {
  PUBLIC_WEB_URL: WEB_URL,
  PUBLIC_PER_MINUTE: '1000000',
  AUTH_FAILURES_PER_MINUTE: '1000000',
} as const;

type Answer = { readonly status: number; readonly body: unknown; readonly cookie: string };

/** Sends writes of every kind in turn until `isOver`, and notes those that were acknowledged. */
export class Writer {
  readonly #service: Pick<Service, 'url'>;
  readonly #account: ServiceAccount;
  readonly #system: Postgres;
  readonly #name: string;
  readonly acknowledged: Acknowledged[] = [];
  /** Reports whose removal was asked for. An answer that is lost leaves open whether the removal happened. */
  readonly removalsSent: string[] = [];
  /** Writes whose outcome the caller does not know: no answer, or a 5xx. */
  unknown = 0;
  #cookie = '';
  #turn = 0;

  constructor(name: string, service: Pick<Service, 'url'>, account: ServiceAccount, system: Postgres) {
    this.#name = name;
    this.#service = service;
    this.#account = account;
    this.#system = system;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      this.#turn += 1;
      const before = this.acknowledged.length;
      try {
        await this.#round(isOver);
      } catch {
        this.unknown += 1;
      }
      if (this.acknowledged.length === before) await sleep(PAUSE_MS);
    }
  }

  async #round(isOver: () => boolean): Promise<void> {
    if (this.#cookie === '') await this.#signIn();
    const key = await this.#key('POST', '/user/keys', 201, 'key.create', { label: this.#name });
    if (isOver()) return;
    const report = await this.#saveReport();
    await this.#submit();
    await this.#merge();
    if (isOver()) return;
    if (this.#turn % 2 === 0) await this.#key('POST', `/user/keys/${key}/rotate`, 200, 'key.rotate', {});
    else await this.#key('DELETE', `/user/keys/${key}`, 204, 'key.revoke');
    if (this.#turn % 2 === 0) await this.#deleteReport(report);
    await this.#signIn();
  }

  #note(kind: WriteKind, id: string): void {
    this.acknowledged.push({ kind, id });
  }

  async #signIn(): Promise<void> {
    const [apiKey, apiSecret] = Buffer.from(this.#account.credential, 'base64').toString().split(':');
    const answer = await this.#send('POST', '/api/auth/session', { apiKey, apiSecret }, { cookie: '' });
    this.#expect(answer, 201);
    this.#cookie = answer.cookie;
    this.#note('session.create', answer.cookie);
  }

  async #key(method: string, path: string, status: number, kind: WriteKind, body?: object): Promise<string> {
    const answer = await this.#send(method, path, body, { cookie: this.#cookie });
    this.#expect(answer, status);
    const id = (answer.body as { id?: string } | null)?.id ?? path.split('/')[3] ?? '';
    this.#note(kind, id);
    return id;
  }

  async #saveReport(): Promise<string> {
    const answer = await this.#send(
      'POST',
      '/reports/save',
      { result: RESULT, note: this.#name },
      this.#keyed,
    );
    this.#expect(answer, 201);
    const { id } = (answer.body as { report: { id: string } }).report;
    this.#note('report.save', id);
    return id;
  }

  async #deleteReport(id: string): Promise<void> {
    this.removalsSent.push(id);
    const answer = await this.#send('DELETE', `/reports/${id}`, undefined, this.#keyed);
    if (answer.status !== 200) this.#expect(answer, 204);
    this.#note('report.delete', id);
  }

  async #submit(): Promise<void> {
    const url = `https://lists.example.com/${this.#name}/${this.#turn}.txt`;
    const sources = [{ name: this.#name, type: 'ip', url }];
    const answer = await this.#send('POST', '/submit', { sources }, this.#keyed);
    if (answer.status !== 200 && answer.status !== 201) this.#expect(answer, 202);
    this.#note('source.submit', url);
  }

  /** What a feed run commits: the content of one list. The merge of another turn replaces it. */
  async #merge(): Promise<void> {
    const parsed = parseIndicator(`n${this.#turn}.${this.#name}.example.com`);
    if (!parsed.ok) throw new Error(parsed.reason);
    const deps = { system: this.#system, clock: systemClock() };
    await mergeSnapshot(deps, `${this.#name}-${this.#turn}`, [[{ indicator: parsed.indicator }]], {
      settings: {},
      dataAtMs: Date.now(),
    });
    this.#note('list.merge', `n${this.#turn}.${this.#name}.example.com`);
  }

  get #keyed(): Readonly<Record<string, string>> {
    return { 'x-api-key': this.#account.credential };
  }

  #expect(answer: Answer, status: number): void {
    if (answer.status !== status)
      throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  }

  async #send(
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const answer = await fetch(`${this.#service.url}${path}`, {
      method,
      headers: {
        origin: WEB_URL,
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    const cookie = answer.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    return {
      status: answer.status,
      body: text === '' ? null : JSON.parse(text),
      cookie: cookie.filter((each) => !each.endsWith('=')).join('; '),
    };
  }
}

const FOUND: Readonly<Record<Exclude<WriteKind, 'session.create'>, string>> = {
  'key.create': `select id from api_key where id = any($1)`,
  'key.rotate': `select id from api_key where id = any($1) and rotated_at is not null`,
  'key.revoke': `select id from api_key where id = any($1) and revoked_at is not null`,
  'report.save': `select id from report where id = any($1)`,
  'report.delete': `select id from unnest($1::text[]) as gone (id) where id not in (select id from report)`,
  'source.submit': `select url as id from source_submission where url = any($1)`,
  'list.merge': `select i.value as id from indicator i join listing l on l.key = i.key where i.value = any($1)`,
};
/** Every change of keys, sessions and reports leaves an entry, in the transaction of the change. */
const AUDITED: readonly WriteKind[] = ['key.create', 'key.rotate', 'key.revoke'];

/**
 * The acknowledged writes that the database does not have. A row of a session has no cookie and a user keeps only the
 * newest sessions, so sessions are counted by their audit entries, which are written in the same transaction.
 */
export async function findLost(
  databaseUrl: string,
  writers: readonly Pick<Writer, 'acknowledged' | 'removalsSent'>[],
): Promise<string[]> {
  const all = writers.flatMap(({ acknowledged }) => acknowledged);
  const removed = new Set(writers.flatMap(({ removalsSent }) => removalsSent));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const lost: string[] = [];
    for (const [kind, statement] of Object.entries(FOUND)) {
      const ids = idsOf(all, kind as WriteKind).filter((id) => kind !== 'report.save' || !removed.has(id));
      const { rows } = await client.query<{ id: string }>(statement, [ids]);
      const found = new Set(rows.map(({ id }) => id));
      lost.push(...ids.filter((id) => !found.has(id)).map((id) => `${kind} ${id}`));
    }
    for (const kind of AUDITED) {
      const ids = idsOf(all, kind);
      const { rows } = await client.query<{ target: string }>(
        'select target from audit_entry where action = $1 and target = any($2)',
        [kind, ids],
      );
      const found = new Set(rows.map(({ target }) => target));
      lost.push(...ids.filter((id) => !found.has(id)).map((id) => `audit of ${kind} ${id}`));
    }
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int as count from audit_entry where action = 'session.create'",
    );
    const sessions = idsOf(all, 'session.create').length;
    if ((rows[0]?.count ?? 0) < sessions) lost.push(`${sessions - (rows[0]?.count ?? 0)} sessions`);
    return lost;
  } finally {
    await client.end();
  }
}

const idsOf = (all: readonly Acknowledged[], kind: WriteKind): string[] =>
  all.flatMap((each) => (each.kind === kind ? [each.id] : []));
