import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SearchTree, Uint, writeMmdb } from '../server/src/domain/mmdb/index.ts';
import { putArtifact } from '../server/src/platform/artifacts.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { databaseUrl, dropDatabase } from '../server/test/support/database.ts';
import { eventually } from '../server/test/support/eventually.ts';
import { startService } from '../server/test/support/service.ts';
import { openAccounts } from '../server/test/support/service-accounts.ts';
import { downloadInTurns, startNginx } from './support/beside-nginx.ts';
import { randomNumbers } from './support/random-numbers.ts';

/**
 * npm run bench:mmdb -- [--seconds 5] [--rounds 5] [--addresses 250000]
 * How long the writer takes, and downloads a second of the file, with a key and through the meter, beside nginx serving the
 * same bytes; 8 connections, one process each, in turns.
 */
const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    addresses: { type: 'string', default: '250000' },
  },
});
const [seconds, rounds, addresses] = [Number(flags.seconds), Number(flags.rounds), Number(flags.addresses)];
const FILE = 'assay.mmdb';
const RECORDS = 5_000;
const KEYS = 8;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-mmdb-'));
const database = `assay_bench_mmdb_${randomBytes(6).toString('hex')}`;

/** As many addresses and records as the real data set has; the places are drawn from a fixed seed. */
function makeFile(): Buffer {
  const random = randomNumbers(20_261_118);
  const tree = new SearchTree();
  const records = Array.from({ length: RECORDS }, (_, at) => ({
    score: new Uint(16, 35 + (at % 66)),
    level: at % 3 === 0 ? 'critical' : 'high',
    categories: [`category-${at % 11}`],
    sources: [`source-${at % 97}`, `source-${at % 41}`],
    attributes: [],
  }));
  for (let at = 0; at < addresses; at += 1) {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, random());
    tree.put(bytes, 32, random() % RECORDS);
  }
  tree.mirrorIpv4(new Uint8Array(16), 96);
  const written = writeMmdb(tree.finish(), records);
  const described = { databaseType: 'Bench', description: 'Of a measurement', buildEpochS: 1_800_000_000 };
  return Buffer.concat([...written.content(), written.metadata(described)]);
}

try {
  await migrate(databaseUrl(database));
  const started = performance.now();
  const bytes = makeFile();
  say(
    `figure mmdb-write-s ${((performance.now() - started) / 1_000).toFixed(2)} for ${(bytes.length / 1e6).toFixed(1)} MB`,
  );
  const service = await startService({ databaseUrl: databaseUrl(database), env: { LOG_LEVEL: 'info' } });
  const accounts = openAccounts(service);
  const nginx = await startNginx(folder, FILE, bytes);
  try {
    await accounts.system.transaction((tx) => putArtifact(tx, 'mmdb', [bytes]));
    const { accountId, credential } = await accounts.newAccount('bench@example.com', { plan: 'ENTERPRISE' });
    const more = await Promise.all(
      Array.from({ length: KEYS - 1 }, () => accounts.newBoundKey(accountId, [])),
    );
    const keys = [credential, ...more];
    const path = '/mmdb/download';
    await eventually('every key gets the file', 60_000, async () => {
      const heads = await Promise.all(
        keys.map((key) => fetch(`${service.url}${path}`, { method: 'HEAD', headers: { 'X-API-KEY': key } })),
      );
      return heads.every(({ status }) => status === 200);
    });
    const seen = await downloadInTurns(
      { ours: { url: service.url, path }, nginx: { url: nginx.url, path: `/${FILE}` } },
      { folder, keys, rounds, seconds },
    );
    const pairs = seen.ours.map((mine, i) => mine / (seen.nginx[i] ?? Number.NaN));
    say(
      `figure mmdb-downloads-s ${median(seen.ours).toFixed(1)} beside nginx ${median(seen.nginx).toFixed(1)}`,
    );
    say(`ratio mmdb-download ${median(pairs).toFixed(2)}`);
    mkdirSync(join(import.meta.dirname, 'results'), { recursive: true });
    writeFileSync(
      join(import.meta.dirname, 'results/mmdb.json'),
      `${JSON.stringify({ cpu: cpus()[0]?.model, cores: cpus().length, bytes: bytes.length, ...seen }, null, 2)}\n`,
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
