import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { tryLock } from '#platform/replica/exclusive.ts';
import { breachedHashes, listOf, sha1Of } from './breached.fixture.ts';
import { dataFile, loaderLock } from './corpus-files.ts';
import { PasswordsRefused } from './hash-lines.ts';
import { type LoadOptions, loadPasswords } from './load-passwords.ts';
import { openPasswords, type Passwords } from './open-passwords.ts';

const NOW_MS = Date.UTC(2026, 7, 23);
const DATA_AT = '2026-08-22T00:00:00.000Z';
const REFRESH_MS = 10;
const HASHES = breachedHashes();
const LIST = listOf(HASHES);
const REAL = join(import.meta.dirname, '../../../../../shared/data/passwords/pwned');

let dataDir: string;
let written: string[];
let open: Passwords[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-passwords-'));
  [written, open] = [[], []];
});
afterEach(async () => {
  for (const passwords of open) await passwords.close();
  await rm(dataDir, { recursive: true, force: true });
});

function opened(): Passwords {
  const log = createLog('debug', { write: (line) => written.push(line) });
  const passwords = openPasswords({ dataDir, log, refreshMs: REFRESH_MS });
  open.push(passwords);
  return passwords;
}

function load(content: string | Buffer, change: Partial<LoadOptions> = {}) {
  const file = join(dataDir, `${randomUUID()}.txt`);
  writeFileSync(file, content);
  return loadPasswords({
    dataDir,
    paths: [file],
    type: 'sha1',
    dataAtMs: Date.parse(DATA_AT),
    nowMs: NOW_MS,
    ...change,
  });
}
const find = (passwords: Passwords, value: string) => passwords.find({ algorithm: 'sha1', value });
const inUse = () => dataFile(dataDir, 'sha1', generations()[0] ?? '');
const generations = () => readdirSync(join(dataDir, 'passwords', 'sha1')).filter((name) => /^g\d/.test(name));
const FIRST = HASHES[0] as (typeof HASHES)[number];

test('without a corpus the answer is null, and that is no failure', () => {
  const passwords = opened();
  expect(find(passwords, FIRST.hash)).toBeNull();
  expect(passwords.status()).toEqual({ sha1: null, ntlm: null });
});

describe('a loaded corpus', () => {
  test('answers for every hash of the list, in either case, and for no other', async () => {
    expect(await load(LIST)).toMatchObject({ entries: 1_000, corpusUpdatedAt: DATA_AT });
    const passwords = opened();
    for (const { hash, count } of HASHES) {
      const answer = { hashType: 'sha1', count, corpusUpdatedAt: DATA_AT };
      expect(find(passwords, hash)).toEqual(answer);
      expect(find(passwords, hash.toLowerCase())).toEqual(answer);
    }
    for (let at = 0; at < 1_000; at += 1) expect(find(passwords, sha1Of(`unseen-${at}`))).toBeNull();
  });

  test('is read packed as well', async () => {
    await load(gzipSync(LIST));
    expect(find(opened(), FIRST.hash)?.count).toBe(FIRST.count);
  });

  test('takes 32 digits for NTLM and 40 for SHA-1, and nothing else', async () => {
    const [ntlm] = breachedHashes(32);
    await load(LIST);
    await load(listOf(breachedHashes(32)), { type: 'ntlm' });
    const passwords = opened();
    expect(passwords.find({ algorithm: 'md5', value: ntlm?.hash ?? '' })?.hashType).toBe('ntlm');
    for (const value of ['', 'g'.repeat(40), `${FIRST.hash}${'0'.repeat(24)}`, FIRST.hash.slice(1)])
      expect(find(passwords, value)).toBeNull();
  });

  test('has the date of the file when none is given, and never a later one than now', async () => {
    const file = join(dataDir, 'list.txt');
    writeFileSync(file, LIST);
    const loaded = await loadPasswords({ dataDir, paths: [file], type: 'sha1', nowMs: NOW_MS });
    expect(Date.parse(loaded.corpusUpdatedAt)).toBeLessThanOrEqual(NOW_MS);
    await expect(load(LIST, { dataAtMs: NOW_MS + 1 })).rejects.toThrow('in the future');
  });
});

describe('a new corpus', () => {
  test('is followed by a process that runs, and the old one is removed', async () => {
    await load(LIST);
    const passwords = opened();
    await load(listOf(HASHES.map(({ hash, count }) => ({ hash, count: count + 5_000 }))));
    await expect.poll(() => find(passwords, FIRST.hash)?.count).toBe(FIRST.count + 5_000);
    expect(generations()).toEqual([expect.stringMatching(/^g000000002-/)]);
  });

  test('may be the first one of a process that runs', async () => {
    const passwords = opened();
    await load(LIST);
    await expect.poll(() => passwords.status().sha1?.entries).toBe(1_000);
  });

  test.each([
    ['cut off', gzipSync(LIST).subarray(0, -40)],
    ['damaged', Buffer.concat([gzipSync(LIST).subarray(0, 2_000), Buffer.alloc(2_000, 0x55)])],
    ['not ordered', listOf(HASHES.toReversed())],
    ['a web page', '<html><body>Sign in</body></html>\n'],
    ['empty', ''],
    ['empty when unpacked', gzipSync('')],
    ['cut between two lines', listOf(HASHES.slice(0, 900))],
    ['without its beginning', listOf(HASHES.slice(100))],
    ['without a part', listOf([...HASHES.slice(0, 400), ...HASHES.slice(500)])],
  ])('that is %s is refused and leaves the one in use', async (_what, content) => {
    await load(LIST);
    const passwords = opened();
    await expect(load(content)).rejects.toThrow(PasswordsRefused);
    expect(generations()).toEqual([expect.stringMatching(/^g000000001-/)]);
    expect(find(passwords, FIRST.hash)?.count).toBe(FIRST.count);
    expect(find(opened(), FIRST.hash)?.count).toBe(FIRST.count);
  });

  test('does not wait: a second load at the same time is refused', async () => {
    const lock = tryLock(loaderLock(dataDir, 'sha1'));
    await expect(load(LIST)).rejects.toThrow('Another load');
    lock?.release();
    await load(LIST);
  });

  test('from a missing file is refused with a message', async () => {
    await expect(load(LIST, { paths: [join(dataDir, 'nowhere.txt')] })).rejects.toThrow(
      /nowhere\.txt' cannot be read/,
    );
    await expect(load(LIST, { paths: [dataDir] })).rejects.toThrow(
      '1048576 of 1048576 range files are missing',
    );
  });
});

describe('a damaged corpus', () => {
  test('that lost its end is not opened', async () => {
    await load(LIST);
    truncateSync(inUse(), 8_192);
    expect(find(opened(), FIRST.hash)).toBeNull();
    expect(written.join('')).toContain('cannot be opened');
  });

  test('answers null instead of a wrong count, and logs it once, without a digit of the queried hash', async () => {
    await load(LIST);
    const file = inUse();
    const bytes = readFileSync(file);
    const suffix = Buffer.from(FIRST.hash.slice(5, 17), 'hex');
    const at = bytes.indexOf(suffix);
    expect(at).toBeGreaterThan(0);
    // Damages the count of the entry, which only the checksum can show.
    bytes.writeUInt32BE(4_000_000, at + suffix.length);
    writeFileSync(file, bytes);
    const passwords = opened();
    written.length = 0;
    expect(find(passwords, FIRST.hash)).toBeNull();
    expect(find(passwords, FIRST.hash)).toBeNull();
    expect(written).toHaveLength(1);
    expect(written[0]?.toUpperCase()).not.toContain(FIRST.hash.slice(0, 5));
  });
});

test('nothing of a queried hash is logged or stored (C18, trap 57)', async () => {
  await load(LIST);
  const passwords = opened();
  const unseen = sha1Of('asked-and-never-listed');
  expect(find(passwords, unseen)).toBeNull();
  expect(find(passwords, FIRST.hash)).not.toBeNull();
  await passwords.close();
  const told = written.join('').toLowerCase();
  for (const asked of [unseen, FIRST.hash.toLowerCase()]) expect(told).not.toContain(asked.slice(0, 5));
  const stored = readFileSync(inUse());
  expect(stored.includes(Buffer.from(unseen.slice(0, 16), 'hex'))).toBe(false);
});

describe.runIf(existsSync(REAL))('the real lists', () => {
  test('are loaded completely and include the most used passwords', { timeout: 60_000 }, async () => {
    const file = (name: string) => join(REAL, `pwned-passwords-${name}-ordered-by-hash.txt.gz`);
    for (const type of ['sha1', 'ntlm'] as const)
      expect(await load('', { paths: [file(type)], type })).toMatchObject({ type, entries: 370_686 });
    const passwords = opened();
    expect(find(passwords, sha1Of('password'))?.count).toBeGreaterThan(1_000_000);
    // NTLM of "password".
    expect(
      passwords.find({ algorithm: 'md5', value: '8846f7eaee8fb117ad06bdd830b7586c' })?.count,
    ).toBeGreaterThan(1_000_000);
    const common = gunzipSync(readFileSync(join(REAL, '100k-most-used-passwords-NCSC.txt.gz')))
      .toString()
      .split('\n')
      .slice(0, 1_000);
    const known = common.filter((password) => find(passwords, sha1Of(password.replace(/\r$/, ''))) !== null);
    expect(known.length).toBeGreaterThan(990);
  });
});
