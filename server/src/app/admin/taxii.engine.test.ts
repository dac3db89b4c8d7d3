import { afterAll, beforeAll, describe, expect, type Mock, test } from 'vitest';
import { sql } from '#platform/postgres.ts';
import { eventually } from '#test/eventually.ts';
import { type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { type AdminRun, adminRun } from '#test/run-admin.ts';

const OPEN = { reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;
const C2 = { ...OPEN, category: 'c2', lineage: 'servers' };
const PHISHING = { ...OPEN, category: 'phishing', lineage: 'pages' };
const SERVERS = [
  '45.83.64.1',
  '45.83.64.2',
  '45.83.65.0/24',
  'bad.example.com',
  'http://bad.example.org/gate',
];
const PAGES = ['login.example.net', 'http://login.example.net/signin'];
const DATE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;

let listed: ListedCorpus;

beforeAll(async () => {
  listed = await openListedCorpus(Date.now());
});
afterAll(() => listed?.close());

const admin = (...args: readonly string[]): Promise<AdminRun> =>
  adminRun({ DATABASE_URL: listed.databaseUrl, DATA_DIR: listed.built.dataDir }, args);

async function judge(): Promise<void> {
  const run = await admin('standing', 'follow');
  expect(run.code, run.stderr).toBe(0);
}

const sizes = async (): Promise<Record<string, readonly [objects: number, left: number]>> => {
  const { documents } = await admin('taxii', 'status', '--json');
  const [{ collections }] = documents as [{ collections: { id: string; objects: number; left: number }[] }];
  return Object.fromEntries(collections.map(({ id, objects, left }) => [id, [objects, left]]));
};

test('standing follow waits for the worker that scores the same changes, and says so', async () => {
  const claim = (by: string | null) =>
    sql`update corpus_follower set claimed_by = ${by}, claimed_until = clock_timestamp() + interval '1 h'
         where name = 'standing'`.execute(listed.system.db);
  await claim('run-worker');
  const following = admin('standing', 'follow');
  // `admin` replaces the function while the command runs.
  const { stderr } = process as unknown as { readonly stderr: { readonly write: Partial<Mock> } };
  await eventually('it says that it waits', 60_000, () =>
    (stderr.write.mock?.calls ?? []).some(([text]) =>
      String(text).includes('The worker is scoring. Waiting for it.'),
    ),
  );
  await claim(null);
  expect((await following).code).toBe(0);
});

describe('before anything is published', () => {
  test('status says that every collection is empty and was never compared', async () => {
    const { code, lines } = await admin('taxii', 'status');
    expect(code).toBe(0);
    expect(lines).toEqual([
      'malicious-ips: 0 objects, 0 left in 90 days.',
      'malicious-domains: 0 objects, 0 left in 90 days.',
      'c2-indicators: 0 objects, 0 left in 90 days.',
      'phishing-indicators: 0 objects, 0 left in 90 days.',
      'Compared never; rebuilt never.',
    ]);
  });

  test('rebuild of indicators that are not judged publishes nothing and names the command that waits for them', async () => {
    await listed.list('servers', SERVERS, C2);
    await listed.list('pages', PAGES, PHISHING);
    expect(await admin('taxii', 'rebuild')).toMatchObject({
      code: 1,
      lines: [],
      stderr: expect.stringContaining('npm run admin -- standing follow'),
    });
    expect(Object.values(await sizes())).toEqual(Array(4).fill([0, 0]));
  });
});

describe('admin taxii rebuild', () => {
  test('publishes what the standings hold, and status prints the figures', async () => {
    await judge();
    const { code, text, stderr } = await admin('taxii', 'rebuild');
    expect(code, stderr).toBe(0);
    expect(text).toMatch(/^7 published, 0 left, in \d+\.\d s; \d+ classes and 2 URLs judged\.$/m);
    expect(await sizes()).toEqual({
      'malicious-ips': [3, 0],
      'malicious-domains': [2, 0],
      'c2-indicators': [5, 0],
      'phishing-indicators': [2, 0],
    });
    const { text: told } = await admin('taxii', 'status');
    expect(told).toContain('c2-indicators: 5 objects, 0 left in 90 days.');
    expect(told).toMatch(
      new RegExp(`^Compared ${DATE.source}; rebuilt ${DATE.source} in \\d+\\.\\d s\\.$`, 'm'),
    );
  });

  test('again publishes nothing, and --json prints one document alone', async () => {
    const { code, lines, documents } = await admin('taxii', 'rebuild', '--json');
    expect({ code, lines }).toEqual({ code: 0, lines: [] });
    expect(documents).toEqual([expect.objectContaining({ isOurs: true, published: 0, left: 0 })]);
  });

  test('tells what left its list, and status counts it as left', async () => {
    await listed.list('servers', SERVERS.slice(1), C2);
    await judge();
    expect((await admin('taxii', 'rebuild')).text).toMatch(/^0 published, 1 left,/);
    expect(await sizes()).toMatchObject({ 'malicious-ips': [2, 1], 'c2-indicators': [4, 1] });
  });
});

describe('a mistake of the operator', () => {
  test.each([
    ['an unknown subcommand', ['taxii', 'rebiuld'], /unknown command 'rebiuld'[\s\S]*--help/],
    ['no subcommand', ['taxii'], /rebuild [\s\S]*status /],
    ['an unknown option', ['taxii', 'status', '--all'], /unknown option '--all'[\s\S]*--help/],
  ])('%s ends with exit code 1 and says what to send', async (_, args, words) => {
    const { code, stderr, lines } = await admin(...args);
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(stderr).toMatch(words);
  });
});
