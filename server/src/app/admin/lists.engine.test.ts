import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFormat, formatNames } from '#capabilities/blocklists/formats/formats.ts';
import { LIST_NAMES, type ListEntry } from '#capabilities/blocklists/index.ts';
import { kindOfList } from '#capabilities/blocklists/list-names.ts';
import { registerSource } from '#capabilities/corpus/index.ts';
import { EMPTY_BOOK } from '#capabilities/enrichment/index.ts';
import { NO_SIGNAL_BOOK } from '#capabilities/signals/index.ts';
import { keepStandings, type StandingDeps } from '#capabilities/standing/index.ts';
import type { Listable } from '#domain/indicator/index.ts';
import { indicatorOf, type ListedCorpus, openListedCorpus } from '#test/listed-corpus.ts';
import { type AdminRun, adminRun } from '#test/run-admin.ts';
import { unlistable } from '#test/unlistable.ts';
import { openListSource } from '../open-list-source.ts';

const IPS = 'blocklist-ips-c2.txt';
const GOOD = ['45.83.64.1', '45.83.64.2', '45.83.64.3', '45.83.65.0/24', '2a00:1450::1', 'bad.example.com'];
const UNLISTABLE = [
  '10.1.2.3',
  '127.0.0.1',
  '192.168.0.0/16',
  '100.64.7.7',
  '224.0.0.5',
  '0.0.0.0/0',
  '45.0.0.0/7',
  'fe80::1',
  '2001:db8::7',
  'fc00::/7',
  'github.io',
  'duckdns.org',
];
/** Public suffixes, which the parser already refuses as indicators. */
const SUFFIXES = ['com', 'co.uk'];
/** Canaries are dropped from the lists of publishers. The operator may list one by hand, on purpose. */
const CANARIES = ['8.8.8.8', 'google.com'];
const PUBLISHER = 'phishing-database';
const CATEGORIES = ['c2', 'botnet', 'phishing', 'malware', 'ransomware'];
const C2 = { reliability: 0.95, letter: 'A', fpRisk: 'low', redistributable: true } as const;

let listed: ListedCorpus;
let judge: StandingDeps;
let folder: string;
let runs = 0;

beforeAll(async () => {
  listed = await openListedCorpus(Date.now());
  folder = mkdtempSync(join(tmpdir(), 'assay-lists-admin-'));
  judge = {
    corpus: listed.corpus,
    enrichment: { book: () => EMPTY_BOOK },
    signals: { book: () => NO_SIGNAL_BOOK },
    clock: listed.clock,
    refresh: () => listed.built.replica.refresh(),
  };
});
afterAll(async () => {
  await listed?.close();
  rmSync(folder, { recursive: true, force: true });
});

const admin = (...args: readonly string[]): Promise<AdminRun> =>
  adminRun({ DATABASE_URL: listed.databaseUrl, DATA_DIR: join(folder, 'data') }, args);

async function importList(id: string, category: string, values: readonly string[]): Promise<void> {
  const file = join(folder, 'list.txt');
  writeFileSync(file, values.map((value) => `${value}\n`).join(''));
  const run = await admin('feeds', 'import', id, file, '--category', category, '--force');
  expect(run.code, run.text + run.stderr).toBe(0);
  await registerSource({ system: listed.system, clock: listed.clock }, id, { ...C2, category, lineage: id });
}

async function importLists(values: readonly string[]): Promise<void> {
  for (const category of CATEGORIES) await importList(`list-${category}`, category, values);
  await importList(PUBLISHER, 'phishing', [...values, ...CANARIES]);
  await listed.built.sync();
  runs += 1;
  await keepStandings(judge, { run: `run-${runs}`, transaction: listed.system.transaction });
}

describe('admin lists', () => {
  test('says what to do before anything is imported, before a list is built, and for an unknown list', async () => {
    expect(await admin('lists', 'build')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing is imported yet'),
    });
    expect((await admin('lists', 'status')).text).toContain('No list was built yet.');
    expect(await admin('lists', 'release', 'all.txt')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(LIST_NAMES.join(', ')),
    });
  });

  test('build publishes nothing while an import is not scored, so that no list looks complete', async () => {
    await importLists(['45.83.64.9']);
    await importList('list-c2', 'c2', GOOD);
    expect(await admin('lists', 'build')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Not every indicator is scored yet'),
    });
    expect((await admin('lists', 'status')).text).toContain('No list was built yet.');
  });

  test('build writes all eight lists, status shows them, and a second build finds nothing to do', async () => {
    await importLists([...UNLISTABLE, ...SUFFIXES, ...GOOD]);
    const built = await admin('lists', 'build');
    expect(built.code, built.stderr).toBe(0);
    expect(built.lines).toHaveLength(9);
    expect(built.lines.at(-1)).toBe('Every API process serves the new files within ten seconds.');
    expect(built.text).toContain(
      `${IPS}: built, 5 lines; excluded: 0 below the score, 0 by license, 0 allowlisted.`,
    );
    const { text } = await admin('lists', 'status');
    expect(text).toMatch(/blocklist-ips-c2\.txt\s+5\s+1\s+\S+Z\s+in order/);
    const again = await admin('lists', 'build', IPS, '--json');
    const excluded = { belowScore: 0, license: 0, allowlisted: 0 };
    expect(again.documents).toEqual([{ lists: [{ list: IPS, outcome: 'unchanged', lines: 5, excluded }] }]);
  });

  test('a list that lost half of its lines waits until it is released, and then becomes that short', async () => {
    await importLists(['45.83.64.1', 'bad.example.com']);
    expect((await admin('lists', 'build', IPS)).text).toContain('lost half of its 5 lines and waits for you');
    expect((await admin('lists', 'status')).text).toContain(
      'waits for you: it would have 1 line (lists release)',
    );
    expect(await admin('lists', 'release', IPS)).toMatchObject({
      code: 0,
      text: expect.stringContaining('is released'),
    });
    expect((await admin('lists', 'build', IPS)).text).toMatch(
      /^blocklist-ips-c2\.txt: built, 1 line; excluded:/,
    );
    expect(await admin('lists', 'release', IPS)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('waits for no release'),
    });
  });
});

describe('what no list may hold (reliability F3)', () => {
  test.each(['public', 'internal'] as const)(
    'is on none of the eight %s lists, in any format',
    async (audience) => {
      const wrong = [...UNLISTABLE, ...CANARIES];
      expect(wrong.filter((value) => unlistable(indicatorOf(value) as Listable) === null)).toEqual([]);
      const never = [...wrong, ...SUFFIXES];
      await importLists([...UNLISTABLE, ...SUFFIXES, ...GOOD]);
      const source = openListSource(listed.system.db, audience);
      let held = 0;
      for (const list of LIST_NAMES) {
        const kind = kindOfList(list);
        const entries: ListEntry[] = [];
        for await (const page of source.entriesOf(list)) entries.push(...page);
        held += entries.length;
        expect(GOOD, list).toEqual(expect.arrayContaining(entries.map(({ value }) => value)));
        for (const name of formatNames(kind)) {
          const given = { kind, label: 'test', entries, annotate: true, builtAtMs: 0 };
          const text = findFormat(name, kind)?.render(given).body.toString() ?? '';
          const words = new Set(text.split(/[\s,;"'|^]+/));
          expect(
            never.filter((value) => words.has(value)),
            `${list} ${name}`,
          ).toEqual([]);
        }
      }
      expect(held).toBeGreaterThan(20);
    },
  );
});
