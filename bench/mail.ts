import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { startDnsPeer } from '../server/test/support/dns-peer.ts';
import { eventually } from '../server/test/support/eventually.ts';
import { HAS_MAIL, MAIL_DIR, readLabelledMail } from '../server/test/support/mail/labelled-mail.ts';
import { HAS_RSPAMD, type Rspamd, startRspamd } from '../server/test/support/mail/rspamd.ts';
import { cpuSecondsOf, type Service, startService } from '../server/test/support/service.ts';
import { openAccounts } from '../server/test/support/service-accounts.ts';

/**
 * npm run bench:mail -- [--rounds 7] [--passes 2] [--at-once 2]
 * The same messages through POST /mail/scan and through rspamd on this machine, in turns. The figure is CPU per message of
 * the process that answers: our listener with its scan threads, and the one worker of rspamd. rspamd runs the rules of its
 * package without modules and lists that need the network, Redis or an index; its name server answers NXDOMAIN on
 * loopback. Ours has one list and no name server. Needs rspamd and the messages of the data set.
 */
const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    passes: { type: 'string', default: '2' },
    'at-once': { type: 'string', default: '2' },
    /** Runs only our side, to profile it: NODE_OPTIONS=--cpu-prof reaches the service. */
    profile: { type: 'string' },
  },
});
const [rounds, passes, atOnce] = [Number(flags.rounds), Number(flags.passes), Number(flags['at-once'])];
/** The JIT compiler has settled on our scan code after this many passes over all messages. */
const WARM_UP_PASSES = 3;
/** Accounts used in turn, because each may scan only 600 messages a minute. */
const ACCOUNTS = 25;
const SHOWN = 20;
const LISTED_NAMES = 50_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

type Message = { readonly name: string; readonly bytes: Buffer };
type Judged = { readonly word: string; readonly reasons: readonly string[] };
type Side = {
  readonly name: 'ours' | 'rspamd';
  readonly pid: number;
  readonly ask: (message: Message) => Promise<Judged>;
};
type Pass = { readonly cpuMs: number; readonly latenciesMs: readonly number[] };

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const median = (values: readonly number[]): number =>
  at(
    values.toSorted((a, b) => a - b),
    0.5,
  );

async function ourSide(
  service: Service,
): Promise<{ readonly side: Side; readonly close: () => Promise<void> }> {
  const accounts = openAccounts(service);
  const keys: string[] = [];
  for (let i = 0; i < ACCOUNTS; i += 1)
    keys.push((await accounts.newAccount(`bench${i}@example.com`, { plan: 'ENTERPRISE' })).credential);
  let asked = 0;
  const ask = async ({ name, bytes }: Message): Promise<Judged> => {
    asked += 1;
    const answer = await fetch(`${service.url}/mail/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys[asked % keys.length] ?? '' },
      body: `{"emlBase64":"${bytes.toString('base64')}"}`,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text}`);
    const { verdict, recommendedAction, reasons } = JSON.parse(text) as {
      readonly verdict: string;
      readonly recommendedAction: string;
      readonly reasons: readonly { readonly code: string; readonly severity: string }[];
    };
    const strong = reasons.filter(({ severity }) => severity !== 'info');
    return { word: `${verdict}, ${recommendedAction}`, reasons: strong.map(({ code }) => code) };
  };
  return { side: { name: 'ours', pid: service.listenerPids()[0] ?? 0, ask }, close: accounts.close };
}

const rspamdSide = (rspamd: Rspamd): Side => ({
  name: 'rspamd',
  pid: rspamd.workerPid(),
  ask: async ({ bytes }) => {
    const { action, score, symbols } = await rspamd.check(bytes);
    const strong = Object.entries(symbols).filter((each) => each[1].score >= 1);
    return { word: `${action}, ${score.toFixed(1)}`, reasons: strong.map(([symbol]) => symbol) };
  },
});

async function measure(side: Side, messages: readonly Message[], repeats: number): Promise<Pass> {
  const latenciesMs: number[] = [];
  const work = Array.from({ length: repeats }, () => messages).flat();
  let next = 0;
  const before = cpuSecondsOf(side.pid);
  const walk = async (): Promise<void> => {
    for (let message = work[next++]; message !== undefined; message = work[next++]) {
      const startMs = performance.now();
      await side.ask(message);
      latenciesMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  return { cpuMs: ((cpuSecondsOf(side.pid) - before) * 1_000) / work.length, latenciesMs };
}

/** Messages that one of the two cannot read are left out for both. */
async function readableByBoth(sides: readonly Side[], messages: readonly Message[]): Promise<Message[]> {
  const kept: Message[] = [];
  for (const message of messages) {
    const answers = await Promise.allSettled(sides.map((side) => side.ask(message)));
    if (answers.every(({ status }) => status === 'fulfilled')) kept.push(message);
  }
  return kept;
}

async function sideBySide(sides: readonly Side[], messages: readonly Message[]): Promise<object[]> {
  const step = Math.max(1, Math.floor(messages.length / SHOWN));
  const shown = messages.filter((_, i) => i % step === 0).slice(0, SHOWN);
  const rows: object[] = [];
  for (const message of shown) {
    const answers = await Promise.all(
      sides.map(async (side) => [side.name, await side.ask(message)] as const),
    );
    rows.push({ message: message.name, ...Object.fromEntries(answers) });
  }
  return rows;
}

async function race(sides: readonly Side[]): Promise<void> {
  const all = readLabelledMail().filter(({ bytes }) => bytes.length > 0);
  const messages = await readableByBoth(sides, all);
  const bytes = messages.reduce((sum, each) => sum + each.bytes.length, 0);
  say(
    `${messages.length} of ${all.length} messages that both read, ${Math.round(bytes / messages.length)} bytes each`,
  );
  for (const side of sides) await measure(side, messages, WARM_UP_PASSES);
  const seen: Record<string, Pass[]> = { ours: [], rspamd: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const side of sides) {
      const pass = await measure(side, messages, passes);
      seen[side.name]?.push(pass);
      say(`  ${side.name}: ${pass.cpuMs.toFixed(2)} ms CPU a message`);
    }
  const of = (name: string) => seen[name] ?? [];
  const figures = Object.fromEntries(
    sides.map(({ name }) => {
      const latencies = of(name)
        .flatMap(({ latenciesMs }) => latenciesMs)
        .toSorted((a, b) => a - b);
      const cpuMs = median(of(name).map((pass) => pass.cpuMs));
      const figure = { cpuMs, p50Ms: at(latencies, 0.5), p99Ms: at(latencies, 0.99) };
      for (const [key, value] of Object.entries(figure))
        say(`figure mail-${name}-${key} ${value.toFixed(2)}`);
      return [name, figure];
    }),
  );
  // Ratios of rounds next to each other in time, because the speed of a shared machine drifts from minute to minute.
  const ratio = median(of('rspamd').map((theirs, i) => theirs.cpuMs / (of('ours')[i]?.cpuMs ?? Number.NaN)));
  say(`ratio mail-rspamd ${ratio.toFixed(2)}`);
  if (sides.length < 2) return;
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const result = {
    machine,
    rounds,
    messages: messages.length,
    bytes,
    ratio: Number(ratio.toFixed(3)),
    figures,
    cpuMs: Object.fromEntries(sides.map(({ name }) => [name, of(name).map((pass) => pass.cpuMs)])),
    sideBySide: await sideBySide(sides, messages),
  };
  writeFileSync(join(import.meta.dirname, 'results/mail.json'), `${JSON.stringify(result, null, 2)}\n`);
}

async function withSides(folder: string, database: string): Promise<void> {
  await migrate(databaseUrl(database));
  const service = await startService({
    databaseUrl: databaseUrl(database),
    env: {
      LOG_LEVEL: 'info',
      ...(flags.profile !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${flags.profile}` }),
    },
  });
  const dns = await startDnsPeer(() => 'NXDOMAIN');
  try {
    const list = join(folder, 'list.txt');
    const names = Array.from({ length: LISTED_NAMES }, (_, i) => `listed-${i}.example-${i % 97}.com`);
    writeFileSync(list, `${names.join('\n')}\n`);
    await service.admin('feeds', 'import', 'bench-list', list, '--category', 'phishing');
    const { side: ours, close } = await ourSide(service);
    const rspamd = flags.profile === undefined ? await startRspamd({ dns: dns.server, assay: null }) : null;
    try {
      // The worker of rspamd starts with uncompiled expressions and changes to compiled ones later.
      if (rspamd !== null)
        await eventually('rspamd has compiled its expressions', 300_000, () => {
          return rspamd.log().includes('after receiving compilation notice');
        });
      await race(rspamd === null ? [ours] : [ours, rspamdSide(rspamd)]);
    } finally {
      await close();
      await rspamd?.stop();
    }
  } finally {
    await service.stop();
    dns.close();
  }
}

if (!HAS_MAIL || !HAS_RSPAMD) {
  const missing = [!HAS_MAIL && `the messages in ${MAIL_DIR}`, !HAS_RSPAMD && 'rspamd'].filter(Boolean);
  say(`Nothing was measured: ${missing.join(' and ')} missing on this machine.`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-mail-'));
const database = `assay_bench_mail_${process.pid}`;
try {
  await withSides(folder, database);
} finally {
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
}
