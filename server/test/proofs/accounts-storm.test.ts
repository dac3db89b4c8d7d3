import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pg from 'pg';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '#capabilities/access/index.ts';
import { systemClock } from '#platform/clock.ts';
import { FROM_DASHBOARD, OPERATOR } from '#test/access.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually, sleep } from '#test/eventually.ts';
import { bySize } from '#test/lane.ts';
import { MAIN } from '#test/main-file.ts';
import { keepResult } from '#test/proof-results.ts';
import { INHERITED_ENV, type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';
import { createHasher } from '../../src/capabilities/accounts/hash-password.ts';

/** 100 sign-ins a second at one listener with the limits of production, and checks beside them. */
const SIGN_INS = bySize(400, 6_000);
const SIGN_IN_EVERY_MS = 10;
const CHECK_EVERY_MS = 20;
const QUIET_MS = bySize(3_000, 30_000);
const PER_ADDRESS = 20;
const PER_NETWORK = 10;
const PER_ACCOUNT = 600;
/** Memory for two hashes of 19 MiB, twenty waiting requests and the garbage that they leave. */
const GROWTH_MAX_MIB = 160;
const P99_RATIO_MAX = 2;
const PASSWORD = 'a sentence of ten words';
const WRONG = 'another sentence of words';

let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
let owner: pg.Client;
let worker: ChildProcess;
let credential: string;
const agent = new Agent({ connections: 512, pipelining: 1 });

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: {
      TRUSTED_PROXIES: '127.0.0.1/32',
      PUBLIC_WEB_URL: FROM_DASHBOARD.origin,
      POSTGRES_POOL_MAX: '10',
      SHED_DELAY_FACTOR: '1',
      // Long, because without Redis each process counts its share and no count is exact.
      REDIS_TIMEOUT_MS: '5000',
    },
  });
  worker = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...INHERITED_ENV, ...service.env, METRICS_PORT: '0', FEEDS_ENABLED: 'false' },
    stdio: 'ignore',
  });
  accounts = openAccounts(service);
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const limits = { burstPerMinute: 1_000_000, checksPerMonth: 1_000_000 };
  ({ credential } = await accounts.newAccount('checks@example.com', { plan: 'ENTERPRISE', limits }));
  const phc = await createHasher(systemClock()).hash(PASSWORD, {
    lane: 'open',
    group: 'test',
    signal: new AbortController().signal,
  });
  for (const email of [...PEOPLE, ...ATTACKED.filter((each) => each.startsWith('known'))]) {
    const userId = await createUser({ postgres: accounts.system, clock: systemClock() }, OPERATOR, email);
    await owner.query('insert into user_password (user_id, phc, changed_at) values ($1, $2, now())', [
      userId,
      phc,
    ]);
  }
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await agent.close();
  await owner?.end();
  await accounts?.close();
  await service?.stop();
  await database?.drop();
});

const PEOPLE = Array.from({ length: 100 }, (_, at) => `person${at}@example.com`);
/** Half of them have an account. */
const ATTACKED = Array.from({ length: 10 }, (_, at) => `${at % 2 === 0 ? 'known' : 'none'}${at}@example.com`);

type Kind = 'right' | 'of one address' | 'of one account';
type SignIn = {
  readonly kind: Kind;
  readonly email: string;
  readonly password: string;
  readonly from: string;
};
const KINDS: readonly Kind[] = ['right', 'of one address', 'right', 'of one account'];
/** The tries of one address follow each other, so that they are in one minute. */
const TRIES_OF_ADDRESS = bySize(25, 100);

function signInOf(at: number): SignIn {
  const kind = KINDS[at % KINDS.length] ?? 'right';
  const nth = Math.floor(at / KINDS.length);
  if (kind === 'right') {
    const each = 2 * nth + (at % KINDS.length === 0 ? 0 : 1);
    const email = PEOPLE[each % PEOPLE.length] ?? '';
    return { kind, email, password: PASSWORD, from: `198.19.${each % 250}.1` };
  }
  if (kind === 'of one address') {
    const from = `198.21.${Math.floor(nth / TRIES_OF_ADDRESS)}.1`;
    return { kind, email: `guess${nth % 100}@example.com`, password: WRONG, from };
  }
  const email = ATTACKED[nth % ATTACKED.length] ?? '';
  return { kind, email, password: WRONG, from: `198.20.${nth % 50}.1` };
}

type Counts = Map<string, number>;

/** Sign-ins that the three limits must refuse by their rules, counted independently of the service. */
function refusalsByRule(all: readonly SignIn[]): number {
  const [addresses, networks, mailboxes] = [1, 2, 3].map(() => new Map<string, number>()) as [
    Counts,
    Counts,
    Counts,
  ];
  let refused = 0;
  const isOver = (counts: Counts, key: string, max: number): boolean => {
    const used = counts.get(key) ?? 0;
    if (used < max) counts.set(key, used + 1);
    return used >= max;
  };
  for (const { from, email } of all)
    if (
      isOver(addresses, from, PER_ADDRESS) ||
      // Every address is in a /24 of its own.
      isOver(networks, `${email} ${from}`, PER_NETWORK) ||
      isOver(mailboxes, email, PER_ACCOUNT)
    )
      refused += 1;
  return refused;
}

type Answered = { readonly signIn: SignIn; readonly status: number; readonly text: string };

async function send(signIn: SignIn): Promise<Answered> {
  const { email, password, from } = signIn;
  const answer = await request(`${service.url}/api/auth/login`, {
    method: 'POST',
    dispatcher: agent,
    headers: { ...FROM_DASHBOARD, 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password }),
  });
  return { signIn, status: answer.statusCode, text: await answer.body.text() };
}

/** Starts work at a fixed rate, whether or not earlier work has ended. */
async function atPace<T>(
  everyMs: number,
  isOver: (nth: number) => boolean,
  work: (nth: number, dueMs: number) => Promise<T>,
): Promise<T[]> {
  const startedMs = performance.now();
  const running: Promise<T>[] = [];
  for (let nth = 0; !isOver(nth); nth += 1) {
    const dueMs = startedMs + nth * everyMs;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    running.push(work(nth, dueMs));
  }
  return Promise.all(running);
}

let checksRefused = 0;
/** Milliseconds from the moment a check was due: a caller that is kept waiting counts the wait. */
const checksUntil = (isOver: () => boolean): Promise<number[]> =>
  atPace(CHECK_EVERY_MS, isOver, async (_, dueMs) => {
    const answer = await request(`${service.url}/check?query=203.0.114.7`, {
      dispatcher: agent,
      headers: { 'x-api-key': credential },
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) checksRefused += 1;
    return performance.now() - dueMs;
  });
const checksFor = (ms: number): Promise<number[]> => {
  const endsMs = performance.now() + ms;
  return checksUntil(() => performance.now() > endsMs);
};
const shareOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

function residentMib(): number {
  const status = readFileSync(`/proc/${service.listenerPids()[0]}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const countAudit = async (action: string): Promise<number> =>
  (
    await owner.query<{ count: number }>('select count(*)::int as count from audit_entry where action = $1', [
      action,
    ])
  ).rows[0]?.count ?? 0;

async function storm() {
  let isOver = false;
  let peakMib = 0;
  const watch = setInterval(() => {
    peakMib = Math.max(peakMib, residentMib());
  }, 500);
  const startedMs = performance.now();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const signIns = atPace(
    SIGN_IN_EVERY_MS,
    (nth) => nth >= SIGN_INS,
    (nth) => send(signInOf(nth)),
  );
  const [answered, checks] = await Promise.all([
    signIns.finally(() => {
      isOver = true;
      clearInterval(watch);
    }),
    checksUntil(() => isOver),
  ]);
  return {
    answered,
    checks,
    peakMib,
    generatorLagP99Ms: lag.percentile(99) / 1e6,
    seconds: (performance.now() - startedMs) / 1_000,
  };
}

const BUSY = 'Too many people are signing in';

test('a storm of sign-ins is refused by rule, takes bounded memory and lets checks through (reliability 3.K, A7)', async () => {
  await checksFor(QUIET_MS / 3);
  const before = await checksFor(QUIET_MS);
  const beforeMib = residentMib();
  const { answered, checks, peakMib, generatorLagP99Ms, seconds } = await storm();
  await sleep(QUIET_MS / 3);
  const quiet = [...before, ...(await checksFor(QUIET_MS))];
  const count = (is: (each: Answered) => boolean): number => answered.filter(is).length;
  const of = (status: number): number => count((each) => each.status === status);
  const isShed = ({ status, text }: Answered) => status === 503 && !text.includes(BUSY);
  // What the overloaded process sheds is counted by no limit.
  const refused = refusalsByRule(answered.flatMap((each) => (isShed(each) ? [] : [each.signIn])));
  const ratio = shareOf(checks, 0.99) / shareOf(quiet, 0.99);
  keepResult('accounts-storm', {
    signIns: SIGN_INS,
    seconds,
    signedIn: of(200),
    wrong: of(401),
    refusedByLimits: of(429),
    refusedByRule: refused,
    refusedBusy: of(503) - count(isShed),
    shed: count(isShed),
    checksNotAnswered: checksRefused,
    checkQuietP50Ms: shareOf(quiet, 0.5),
    checkQuietP99Ms: shareOf(quiet, 0.99),
    checkStormP50Ms: shareOf(checks, 0.5),
    checkStormP99Ms: shareOf(checks, 0.99),
    checkP99Ratio: ratio,
    generatorLagP99Ms,
    residentBeforeMib: beforeMib,
    residentPeakMib: peakMib,
    residentAfterMib: residentMib(),
  });
  expect(of(429)).toBe(refused);
  expect(checksRefused).toBe(0);
  expect(of(200) + of(401) + of(429) + of(503)).toBe(SIGN_INS);
  expect(count(({ signIn, status }) => signIn.kind === 'right' && status !== 200 && status !== 503)).toBe(0);
  expect(count(({ signIn, status }) => signIn.kind !== 'right' && status === 200)).toBe(0);
  expect(await countAudit('session.create')).toBe(of(200));
  const known = count(({ signIn, status }) => status === 401 && signIn.email.startsWith('known'));
  await eventually(
    'the failed tries are in the audit trail',
    120_000,
    async () => (await countAudit('session.refuse')) === known,
  );
  expect(peakMib - beforeMib).toBeLessThan(GROWTH_MAX_MIB);
  expect(ratio).toBeLessThan(P99_RATIO_MAX);
});
