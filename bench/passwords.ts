import { fork } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadPasswords } from '../server/src/capabilities/passwords/index.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { REAL_DENSITY, writeDenseRanges } from '../server/test/support/dense-ranges.ts';
import { eventually, freePort } from '../server/test/support/eventually.ts';
import { cpuSecondsOf, type Service, startService } from '../server/test/support/service.ts';
import { writeWrkScript, wrk } from './support/wrk.ts';

/**
 * npm run bench:passwords -- [--seconds 5] [--rounds 9] [--prefixes 1000]
 * GET /api/pwned-passwords/range/{prefix} at the density of the published list, with a key and metered, beside bare
 * Fastify with the same Redis call, the same LMDB read, headers, log line and the finished bytes. Both run in turns; the
 * figure is requests per CPU-second of the answering process.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    prefixes: { type: 'string', default: '1000' },
  },
});
const [seconds, rounds, prefixes] = [Number(flags.seconds), Number(flags.rounds), Number(flags.prefixes)];
/** The JIT compiler still works ten seconds after a server's first request; that must not be measured. */
const WARM_UP_S = 15;
const LIMITS = { burstPerMinute: 1_000_000_000, checksPerMonth: 1_000_000_000 };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-passwords-'));
const database = `assay_bench_passwords_${process.pid}`;
type Side = { readonly name: 'ours' | 'bare'; readonly url: string; readonly pid: number };

async function loadDense(dataDir: string): Promise<string> {
  const ranges = join(folder, 'ranges');
  writeDenseRanges(ranges, prefixes, REAL_DENSITY);
  const { generation } = await loadPasswords({
    dataDir,
    paths: [ranges],
    type: 'sha1',
    partial: { first: 0, last: prefixes - 1 },
    nowMs: Date.now(),
  });
  return join(dataDir, 'passwords', 'sha1', generation, 'data.mdb');
}

async function readAnswers(service: Service, key: string, paths: readonly string[]) {
  const answers: Record<string, string> = {};
  let headers: [string, string][] = [];
  for (const path of paths) {
    const answer = await fetch(`${service.url}${path}`, { headers: { 'X-API-KEY': key } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(text);
    answers[path] = text;
    headers = [...answer.headers].filter(([name]) => /^(x-content|referrer|cache|vary|access)/.test(name));
  }
  return { answers, headers };
}

async function startBare(service: Service, spec: object): Promise<{ side: Side; stop: () => void }> {
  const port = await freePort();
  const file = join(folder, 'floor.json');
  writeFileSync(file, JSON.stringify({ ...spec, port }));
  const out = openSync(join(folder, 'floor.log'), 'a');
  const child = fork(join(import.meta.dirname, 'bare-passwords.ts'), [file], {
    env: { PATH: process.env.PATH, ...service.env },
    stdio: ['ignore', out, out, 'ipc'],
  });
  closeSync(out);
  await new Promise((resolve, reject) => child.once('message', resolve).once('exit', reject));
  const side: Side = { name: 'bare', url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
  return { side, stop: () => child.disconnect() };
}

async function measure(side: Side, script: string): Promise<number> {
  const before = cpuSecondsOf(side.pid);
  const result = await wrk(side.url, script, seconds);
  const cpuS = cpuSecondsOf(side.pid) - before;
  if (result.notOk > 0 || result.errors > 0) throw new Error(`${side.name}: ${JSON.stringify(result)}`);
  say(
    `  ${side.name}: ${((cpuS * 1e6) / result.requests).toFixed(1)} us CPU, ${Math.round(result.requestsPerSecond)} requests/s, p50 ${result.p50Ms} ms, p99 ${result.p99Ms} ms`,
  );
  return result.requests / cpuS;
}

async function race(service: Service, data: string): Promise<void> {
  const key = await service.admin<{ header: string; accountId: string }>(
    'key',
    'create',
    '--email',
    'bench@example.com',
    '--plan',
    'ENTERPRISE',
    '--limits',
    JSON.stringify(LIMITS),
  );
  const paths = Array.from(
    { length: prefixes },
    (_, prefix) => `/api/pwned-passwords/range/${prefix.toString(16).toUpperCase().padStart(5, '0')}`,
  );
  await eventually('the key is known and the corpus open', 60_000, async () => {
    const answer = await fetch(`${service.url}${paths[0]}`, { headers: { 'X-API-KEY': key.header } });
    return answer.status === 200;
  });
  const { answers, headers } = await readAnswers(service, key.header, paths);
  const { side: bare, stop } = await startBare(service, {
    account: `${key.accountId}-bare`,
    burstLimit: LIMITS.burstPerMinute,
    monthLimit: LIMITS.checksPerMonth,
    headers,
    data,
    answers,
  });
  const bytes = await Promise.all(
    [service.url, bare.url].map(async (url) =>
      (await fetch(`${url}${paths[1]}`, { headers: { 'X-API-KEY': key.header } })).text(),
    ),
  );
  if (bytes[0] !== bytes[1]) throw new Error('The two servers send different bytes.');
  const script = join(folder, 'ranges.lua');
  writeWrkScript(script, paths, key.header);
  const ours: Side = { name: 'ours', url: service.url, pid: service.listenerPids()[0] ?? 0 };
  for (const side of [ours, bare]) await wrk(side.url, script, WARM_UP_S);
  const seen: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const side of [ours, bare]) seen[side.name].push(await measure(side, script));
  stop();
  // Ratios of rounds next to each other in time, because the speed of a shared machine drifts from minute to minute.
  const ratio = median(seen.ours.map((mine, i) => mine / (seen.bare[i] ?? Number.NaN)));
  say(`figure password-range-bytes ${bytes[0]?.length ?? 0}`);
  say(
    `figure password-range-per-cpu-s ${Math.round(median(seen.ours))} beside ${Math.round(median(seen.bare))}`,
  );
  say(`ratio password-range ${ratio.toFixed(2)}`);
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  writeFileSync(
    join(import.meta.dirname, 'results/passwords.json'),
    `${JSON.stringify({ machine, seconds, rounds, prefixes, ratio: Number(ratio.toFixed(3)), perCpuSecond: seen }, null, 2)}\n`,
  );
}

try {
  await migrate(databaseUrl(database));
  const dataDir = join(folder, 'data');
  const data = await loadDense(dataDir);
  const env = { LOG_LEVEL: 'info', ASSAY_ENV: 'development' };
  const service = await startService({ databaseUrl: databaseUrl(database), env, dataDir });
  try {
    await race(service, data);
  } finally {
    await service.stop();
  }
} finally {
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
}
