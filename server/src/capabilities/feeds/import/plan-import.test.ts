import { describe, expect, test } from 'vitest';
import type { OfflineFile } from '#capabilities/catalogue/index.ts';
import { parseManifest } from '#capabilities/datasets/index.ts';
import { feedRow } from '#test/feed-row.ts';
import { planImport } from './plan-import.ts';

const SHA = 'ab'.repeat(32);
const file = (path: string, date = '2026-08-22', more: object = {}) => ({
  path,
  date,
  sha256: SHA,
  bytes: 10,
  entries: 3,
  compression: null,
  ...more,
});
const manifest = (...records: readonly object[]) =>
  parseManifest(JSON.stringify(records), ['feeds/', 'allowlists/', 'warninglists/']);

const row = (id: string) => feedRow(id, ['https://example.com/list.txt']);
const part = (path: string, source: string, more: Partial<OfflineFile> = {}): OfflineFile => ({
  path,
  source,
  role: 'part',
  ...more,
});

describe('the manifest', () => {
  test('gives the lists and ignores the files of other features, even malformed ones', () => {
    const files = manifest(
      file('feeds/a.txt'),
      { path: 'mail/folder', files: [] },
      file('warninglists/w/list.json'),
    );
    expect(files.map(({ path }) => path)).toEqual(['feeds/a.txt', 'warninglists/w/list.json']);
    expect(files[0]).toEqual({
      path: 'feeds/a.txt',
      dateMs: Date.UTC(2026, 7, 22),
      sha256: SHA,
      bytes: 10,
      entries: 3,
    });
  });

  test.each([
    ['not JSON', '{', 'it is not JSON'],
    ['no list', '{"path": "feeds/a"}', 'expected a list of records'],
    ['a path out of the data set', JSON.stringify([file('feeds/../../etc/passwd')]), 'inside the data set'],
    ['no date', JSON.stringify([file('feeds/a.txt', 'yesterday')]), 'feeds/a.txt: date: expected a day'],
    ['no digest', JSON.stringify([file('feeds/a.txt', '2026-08-22', { sha256: 'x' })]), 'sha256: expected'],
  ])('is refused as a whole: %s', (_name, text, sentence) => {
    expect(() => parseManifest(text, ['feeds/', 'allowlists/', 'warninglists/'])).toThrow(sentence);
  });
});

describe('the plan', () => {
  test('joins the parts of a source; their newest day is its clock', () => {
    const plan = planImport(
      manifest(file('feeds/a/1.txt', '2026-03-01'), file('feeds/a/2.txt', '2026-08-01')),
      [
        part('feeds/a/1.txt', 'a'),
        part('feeds/a/2.txt', 'a', { format: { kind: 'hosts' }, family: 'Emotet' }),
      ],
      [row('a')],
    );
    expect(plan.sources).toHaveLength(1);
    expect(plan.sources[0]).toMatchObject({ dataAtMs: Date.UTC(2026, 7, 1), bytes: 20, rows: 6 });
    expect(plan.sources[0]?.files.map(({ format, family }) => [format.kind, family])).toEqual([
      ['plain', undefined],
      ['hosts', 'Emotet'],
    ]);
  });

  test('one archive may hold the parts of several sources', () => {
    const plan = planImport(
      manifest(file('feeds/trails.tar.gz')),
      [part('feeds/trails.tar.gz', 'malware'), part('feeds/trails.tar.gz', 'scanners')],
      [row('malware'), row('scanners')],
    );
    expect(plan.sources.map(({ row: { id } }) => id)).toEqual(['malware', 'scanners']);
  });

  test('names every file it does not take, with the reason', () => {
    const plan = planImport(
      manifest(
        file('feeds/a.txt'),
        file('feeds/a.json'),
        file('feeds/new.txt'),
        file('feeds/notes.txt'),
        file('feeds/b.txt'),
      ),
      [
        part('feeds/a.txt', 'a'),
        part('feeds/a.json', 'a', { role: 'variant' }),
        { path: 'feeds/notes.txt', source: null, role: 'left-out', note: 'Prose.' },
        part('feeds/b.txt', 'gone'),
        part('feeds/not-here.txt', 'a'),
      ],
      [row('a')],
    );
    expect(plan.sources.map(({ row: { id }, files }) => [id, files.length])).toEqual([['a', 1]]);
    expect(plan.variants.map(({ path }) => path)).toEqual(['feeds/a.json']);
    expect(plan.leftOut).toEqual([{ path: 'feeds/notes.txt', why: 'Prose.' }]);
    expect(plan.unknown).toEqual([
      { path: 'feeds/b.txt', why: "The catalogue has no source 'gone'." },
      { path: 'feeds/new.txt', why: 'This file is not in the catalogue.' },
    ]);
    expect(plan.absent.map(({ path }) => path)).toEqual(['feeds/not-here.txt']);
  });
});
