import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildLists } from '../server/src/capabilities/blocklists/index.ts';
import { createArtifacts } from '../server/src/platform/artifacts.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { eventually } from '../server/test/support/eventually.ts';
import { startService } from '../server/test/support/service.ts';
import { openAccounts } from '../server/test/support/service-accounts.ts';
import { downloadInTurns, startNginx } from './support/beside-nginx.ts';

/**
 * npm run bench:lists -- [--seconds 5] [--rounds 5] [--lines 1000000]
 * Downloads a second of a full list, with a key and through the guard, beside nginx serving the same bytes as a file; 8
 * connections, one process each, in turns.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    lines: { type: 'string', default: '1000000' },
  },
});
const [seconds, rounds, lines] = [Number(flags.seconds), Number(flags.rounds), Number(flags.lines)];
const LIST = 'blocklist-domains-all.txt';
/** Keys used in turn, because each may fetch only 3,600 files an hour. */
const KEYS = 10;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-lists-'));
const database = `assay_bench_lists_${randomBytes(6).toString('hex')}`;
const names = Array.from({ length: lines }, (_, i) => `host-${String(i).padStart(8, '0')}.example`);

try {
  await migrate(databaseUrl(database));
  const env = { LIST_MEMORY_MB: '256', LOG_LEVEL: 'info' };
  const service = await startService({ databaseUrl: databaseUrl(database), env });
  const accounts = openAccounts(service);
  const nginx = await startNginx(folder, LIST, names.map((name) => `${name}\n`).join(''));
  try {
    const { system } = accounts;
    const clock = systemClock();
    const artifacts = createArtifacts({ postgres: system, dataDir: folder, log: createLog('silent'), clock });
    const source = {
      entriesOf: async function* () {
        yield names.map((value) => ({ value, score: 90, family: null, reason: '' }));
      },
      membershipVersion: async () => '1',
    };
    const started = performance.now();
    await buildLists(
      { clock, source, openArtifact: artifacts.openArtifact, transaction: system.transaction },
      [LIST],
    );
    say(`figure blocklist-build-s ${((performance.now() - started) / 1_000).toFixed(1)}`);
    const { accountId, credential } = await accounts.newAccount('bench@example.com', { plan: 'PRO' });
    const more = await Promise.all(
      Array.from({ length: KEYS - 1 }, () => accounts.newBoundKey(accountId, [])),
    );
    const keys = [credential, ...more];
    const path = `/blocklist/download/${LIST}`;
    await eventually('every key gets the full list', 60_000, async () => {
      const heads = await Promise.all(
        keys.map((key) => fetch(`${service.url}${path}`, { method: 'HEAD', headers: { 'X-API-KEY': key } })),
      );
      return heads.every(({ headers }) => headers.get('x-blocklist-variant') === 'full');
    });
    const seen = await downloadInTurns(
      { ours: { url: service.url, path }, nginx: { url: nginx.url, path: `/${LIST}` } },
      { folder, keys, rounds, seconds },
    );
    const pairs = seen.ours.map((mine, i) => mine / (seen.nginx[i] ?? Number.NaN));
    say(
      `figure blocklist-downloads-s ${median(seen.ours).toFixed(1)} beside nginx ${median(seen.nginx).toFixed(1)}`,
    );
    say(`ratio blocklist-download ${median(pairs).toFixed(2)}`);
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(
      join(import.meta.dirname, 'results/lists.json'),
      `${JSON.stringify({ cpu: cpus()[0]?.model, cores: cpus().length, lines, ...seen }, null, 2)}\n`,
    );
  } finally {
    nginx.stop();
    await accounts.close();
    await service.stop();
  }
} finally {
  await dropDatabase(database);
  rmSync(folder, { recursive: true, force: true });
}
