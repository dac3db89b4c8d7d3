import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { eventually } from '#test/eventually.ts';
import { BOMBS } from '#test/mail/bombs.ts';
import { keepResult } from '#test/proof-results.ts';
import { type Service, startService } from '#test/service.ts';
import { openAccounts, type ServiceAccounts } from '#test/service-accounts.ts';

/** Mail of 10 MiB through a node with one listener, and checks beside it. */
const MIB = 1024 * 1024;
const SECONDS = 30;
const AT_ONCE = 3;
const CHECK_EVERY_MS = 20;
const LOOP_P99_MAX_MS = 50;
const RECORDER = join(import.meta.dirname, '../support/record-loop-delay.ts');
const LIMITS = { burstPerMinute: 1_000_000, checksPerMonth: 1_000_000, scansPerMonth: 1_000_000 };

let folder: string;
let database: TestDatabase;
let service: Service;
let accounts: ServiceAccounts;
const credentials: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-beside-'));
  mkdirSync(join(folder, 'loop'));
  database = await createTestDatabase();
  service = await startService({
    databaseUrl: database.url,
    env: { NODE_OPTIONS: `--import=${RECORDER}`, LOOP_DELAY_DIR: join(folder, 'loop') },
  });
  accounts = openAccounts(service);
  for (let at = 0; at <= AT_ONCE; at += 1)
    credentials.push(
      (await accounts.newAccount(`beside-${at}@example.com`, { plan: 'ENTERPRISE', limits: LIMITS }))
        .credential,
    );
});
afterAll(async () => {
  await accounts?.close();
  await service?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const post = async (credential: string, body: string): Promise<number> => {
  const answer = await fetch(`${service.url}/mail/scan`, {
    method: 'POST',
    headers: { 'x-api-key': credential, 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
};

const check = async (): Promise<number> => {
  const started = performance.now();
  const answer = await fetch(`${service.url}/check?query=203.0.114.7`, {
    headers: { 'x-api-key': credentials[AT_ONCE] ?? '' },
  });
  await answer.arrayBuffer();
  expect(answer.status).toBe(200);
  return performance.now() - started;
};

/** Sends checks one after another, 20 ms apart, until `isOver`; returns their sorted milliseconds. */
async function checksUntil(isOver: () => boolean): Promise<readonly number[]> {
  const seen: number[] = [];
  while (!isOver()) {
    seen.push(await check());
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
  return seen.toSorted((a, b) => a - b);
}
const at = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * 10) / 10;

const bodyOf = (mail: Buffer): string => JSON.stringify({ emlBase64: mail.toString('base64') });
const large = (): string => {
  const head = 'From: a@kunde.example.org\r\nSubject: x\r\nContent-Type: application/octet-stream\r\n';
  const lines = `${Buffer.alloc(57, 7).toString('base64')}\r\n`;
  return bodyOf(
    Buffer.from(
      `${head}Content-Transfer-Encoding: base64\r\n\r\n${lines.repeat(Math.floor((10 * MIB - 500) / lines.length))}`,
    ),
  );
};

async function scansBesideChecks(bodies: readonly string[]) {
  const statuses = new Map<number, number>();
  const endsMs = performance.now() + SECONDS * 1_000;
  const isOver = () => performance.now() > endsMs;
  let sent = 0;
  const scanner = async (who: number): Promise<void> => {
    while (!isOver()) {
      sent += 1;
      const status = await post(credentials[who] ?? '', bodies[sent % bodies.length] ?? '');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const [checks] = await Promise.all([
    checksUntil(isOver),
    ...Array.from({ length: AT_ONCE }, (_, who) => scanner(who)),
  ]);
  return { checks, statuses };
}

const delayFile = (): string => join(folder, 'loop', `${service.listenerPids()[0]}.json`);
const loopDelay = (): { p50: number; p99: number; max: number } =>
  JSON.parse(readFileSync(delayFile(), 'utf8'));

test('checks are answered while mail of 10 MiB and bombs are read; the event loop is late by under 50 ms', async () => {
  await eventually('the listener measures itself', 30_000, () => existsSync(delayFile()));
  const quietEnds = performance.now() + 5_000;
  const quiet = await checksUntil(() => performance.now() > quietEnds);
  rmSync(delayFile());
  const beside = await scansBesideChecks([large()]);
  const delay = loopDelay();
  const bombs = await scansBesideChecks(
    Object.values(BOMBS)
      .slice(0, 20)
      .map((bomb) => bodyOf(bomb())),
  );
  const scans = beside.statuses.get(200) ?? 0;
  keepResult('mail-beside-checks', {
    scansOf10MiB: scans,
    checkQuietP99Ms: at(quiet, 0.99),
    checkBesideP50Ms: at(beside.checks, 0.5),
    checkBesideP99Ms: at(beside.checks, 0.99),
    checkBesideBombsP99Ms: at(bombs.checks, 0.99),
    loopDelayP99Ms: delay.p99,
    loopDelayMaxMs: delay.max,
  });
  expect(scans).toBeGreaterThan(10);
  expect(
    [...beside.statuses.keys(), ...bombs.statuses.keys()].every((s) => [200, 413, 503].includes(s)),
  ).toBe(true);
  expect(delay.p99).toBeLessThan(LOOP_P99_MAX_MS);
});
