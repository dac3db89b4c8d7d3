import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReferenceFile, RefusedReference, readLine } from './reference-file.ts';

const DAY = Date.UTC(2026, 7, 20) / 86_400_000;

describe('a line', () => {
  const host = { host: 'shop.example.com', registrable: 'example.com' };
  test.each([
    ['shop.example.com', { ...host, firstDay: null }, 'a host alone is visited by many'],
    ['WWW.Shop.Example.com.', { ...host, firstDay: null }, 'in any spelling, with www. or without'],
    [
      'www.example.com',
      { host: 'example.com', registrable: 'example.com', firstDay: null },
      'www. of a domain',
    ],
    ['www.com', { host: 'www.com', registrable: 'www.com', firstDay: null }, 'www. that is the domain'],
    ['shop.example.com\t10', { ...host, firstDay: null }, 'ten clients are many'],
    ['shop.example.com\t10\t2026-08-20', { ...host, firstDay: null }, 'whatever the day'],
    ['shop.example.com\t2026-08-20\t9', { ...host, firstDay: DAY }, 'nine count from their day on'],
    ['shop.example.com\t2026-08-20', { ...host, firstDay: DAY }, 'a day alone is not visited by many'],
    ['shop.example.com\t9', 'skipped', 'nine without a day count nowhere'],
    ['co.uk', 'skipped', 'a public suffix is no site'],
    ['185.220.101.1', null, 'an address is no host name'],
    ['http://shop.example.com/', null, 'nor is a URL'],
    ['shop.example.com\t2026-13-40', null, 'nor is a day that does not exist'],
  ])('%j is %j: %s', (line, expected, _why) => {
    expect(readLine(line)).toEqual(expected);
  });
});

describe('a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-reference-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const read = async (path: string) => {
    const file = await openReferenceFile(path);
    const batches: string[][] = [];
    for await (const batch of file.batches(2)) batches.push(batch.map(({ host }) => host));
    return { batches, size: file.size(), id: file.id };
  };
  const TEXT = '# visited in August\nexample.com\r\n\nwww.example.com\nexample.org\nexample.net\t500\n';

  test('holds each host once, in batches, and is named by its content', async () => {
    const plain = await read(write('plain.txt', TEXT));
    expect(plain).toEqual({
      batches: [['example.com', 'example.org'], ['example.net']],
      size: 3,
      id: expect.stringMatching(/^own-[0-9a-f]{8}$/),
    });
    expect((await read(write('same.txt', TEXT))).id).toBe(plain.id);
  });

  test('may be packed, whatever its name says', async () => {
    const { batches } = await read(write('packed.txt', gzipSync(TEXT)));
    expect(batches.flat()).toEqual(['example.com', 'example.org', 'example.net']);
  });

  test('that is missing is refused with a sentence', async () => {
    await expect(read(join(folder, 'none'))).rejects.toThrow(
      /REFERENCE_HOSTS_FILE names .*none, which cannot be read \(ENOENT\)\./,
    );
  });

  test('in which many lines hold no host is refused', async () => {
    const path = write('log.txt', `${'GET / 200\n'.repeat(2)}${'example.com\n'.repeat(8)}`);
    await expect(read(path)).rejects.toThrow(RefusedReference);
  });
});
