import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeTar, makeZip, tarMember } from '#test/archives.ts';
import { GateError } from '../gate-error.ts';
import { readSnapshotFile, type SnapshotLimits } from './read-snapshot-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-containers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LIMITS: SnapshotLimits = { bytesMax: 64 * 1024 ** 2 };
const LIST = Array.from(
  { length: 2_000 },
  (_, i) => `198.51.100.${i % 256} host-${i * 7919}.example.com`,
).join('\n');
const MEMBERS = [
  { path: 'a.txt', content: 'first\n' },
  { path: 'folder/b.txt', content: LIST },
  { path: 'empty.txt', content: '' },
];

let files = 0;
async function read(
  content: Buffer | string,
  limits = LIMITS,
  skip: (path: string) => boolean = () => false,
) {
  files += 1;
  const path = join(folder, `file-${files}`);
  writeFileSync(path, content);
  const members: [path: string, text: string][] = [];
  const result = await readSnapshotFile(path, limits, {
    member: (name) => {
      if (skip(name)) return false;
      members.push([name, '']);
      return true;
    },
    text: (piece) => {
      const last = members.at(-1);
      if (last !== undefined) last[1] += piece;
    },
    memberEnd: () => undefined,
  });
  return { ...result, members };
}

async function outcome(content: Buffer | string, limits = LIMITS): Promise<unknown> {
  try {
    return (await read(content, limits)).members;
  } catch (error) {
    if (error instanceof GateError) return error.gate;
    throw error;
  }
}

const asMembers = (members: typeof MEMBERS) => members.map(({ path, content }) => [path, content]);

describe('the packing is recognised by the first bytes', () => {
  const tar = makeTar(MEMBERS);
  test.each([
    ['plain', Buffer.from(LIST), [['', LIST]]],
    ['gzip', gzipSync(LIST), [['', LIST]]],
    ['gzip in several members', Buffer.concat([gzipSync('a\n'), gzipSync('b\n')]), [['', 'a\nb\n']]],
    ['zstd', zstdCompressSync(LIST), [['', LIST]]],
    ['tar', tar, asMembers(MEMBERS)],
    ['tar.gz', gzipSync(tar), asMembers(MEMBERS)],
    ['tar.zst', zstdCompressSync(tar), asMembers(MEMBERS)],
    ['zip, deflated', makeZip(MEMBERS), asMembers(MEMBERS)],
    ['zip, stored', makeZip(MEMBERS, { method: 'stored' }), asMembers(MEMBERS)],
    ['zip with data descriptors', makeZip(MEMBERS, { descriptor: true }), asMembers(MEMBERS)],
    ['zip with a comment', makeZip(MEMBERS, { comment: 'PK, said the archive' }), asMembers(MEMBERS)],
    ['an empty zip', makeZip([]), []],
    ['nothing at all', Buffer.alloc(0), [['', '']]],
  ] as const)('%s', async (_, content, members) => {
    const result = await read(content);
    expect(result.members).toEqual(members);
    expect(result.bytes).toBe(content.length);
    expect(result.sha256).toBe(createHash('sha256').update(content).digest('hex'));
  });

  test.each(['pax', 'gnu'] as const)('a name over 100 bytes written the %s way', async (long) => {
    const path = `${'deep/'.repeat(60)}list.txt`;
    expect((await read(makeTar([{ path, content: 'x\n' }], { long }))).members).toEqual([[path, 'x\n']]);
  });

  test('folders and links in a tar are skipped', async () => {
    const tar = Buffer.concat([
      tarMember('folder/', Buffer.alloc(0), '5'),
      tarMember('link', Buffer.alloc(0), '2'),
      makeTar([{ path: 'a.txt', content: 'x\n' }]),
    ]);
    expect(await outcome(tar)).toEqual([['a.txt', 'x\n']]);
  });

  test('a member that the format skips is not read, not even when it is no text', async () => {
    const members = [{ path: 'logo.png', content: Buffer.from([0, 1, 2, 0]) }, ...MEMBERS];
    for (const archive of [makeTar(members), makeZip(members)]) {
      expect((await read(archive, LIMITS, (path) => path.endsWith('.png'))).members).toEqual(
        asMembers(MEMBERS),
      );
      expect(await outcome(archive)).toBe('not-text');
    }
  });
});

describe('a file that must not replace a good list is refused by a gate', () => {
  test.each([
    ['a web page', '\ufeff \n <!DOCTYPE html><p>Too many requests</p>', 'web-page'],
    ['a web page in gzip', gzipSync('<HTML>no</HTML>'), 'web-page'],
    ['UTF-16', Buffer.from('\ufeff198.51.100.7\n', 'utf16le'), 'not-text'],
    ['UTF-16 without NUL bytes', Buffer.from('fffe4141', 'hex'), 'not-text'],
    ['a NUL byte', 'evil.example.com\n\0', 'not-text'],
    ['an encrypted zip', makeZip(MEMBERS, { encrypted: true }), 'archive'],
    ['xz', Buffer.from('fd377a585a0000', 'hex'), 'archive'],
    ['a damaged gzip', damaged(gzipSync(LIST), 5_000), 'archive'],
    ['a damaged zip', damaged(makeZip(MEMBERS), 3_000), 'archive'],
    [
      'a stored zip with one letter changed',
      damaged(makeZip(MEMBERS, { method: 'stored' }), 3_000),
      'archive',
    ],
    ['a tar with a wrong checksum', damaged(makeTar(MEMBERS), 1_030), 'archive'],
    ['more than the cap', 'x'.repeat(2_000), 'too-large'],
    ['a gzip over the cap', gzipSync('ab'.repeat(1_000)), 'too-large'],
  ] as const)('%s', async (name, content, gate) => {
    expect(await outcome(content, name.includes('cap') ? { bytesMax: 1_000 } : LIMITS)).toBe(gate);
  });

  test('zip64 is refused with a message', async () => {
    const zip = makeZip(MEMBERS);
    zip.fill(0xff, zip.length - 10, zip.length - 2);
    await expect(read(zip)).rejects.toThrow('zip64');
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(256 * 1024 ** 2))],
    ['zstd', zstdCompressSync(Buffer.alloc(256 * 1024 ** 2, 'a\n'))],
    ['zip', makeZip([{ path: 'bomb', content: Buffer.alloc(64 * 1024 ** 2, 'a\n') }])],
  ])('a %s bomb stops long before it is unpacked', async (_, bomb) => {
    let seen = 0;
    const path = join(folder, 'bomb');
    writeFileSync(path, bomb);
    const reading = readSnapshotFile(
      path,
      { bytesMax: 4 * 1024 ** 3 },
      {
        member: () => true,
        text: (piece) => {
          seen += piece.length;
        },
        memberEnd: () => undefined,
      },
    );
    await expect(reading).rejects.toMatchObject({ name: 'GateError' });
    expect(seen).toBeLessThan(32 * 1024 ** 2);
  });

  const FILES_OPEN = '/proc/self/fd';
  test.skipIf(!existsSync(FILES_OPEN))('a refused file is closed (only where the system tells)', async () => {
    const tar = makeTar([{ path: 'a.txt', content: `\0${LIST.repeat(40)}` }]);
    const refused = [tar, gzipSync(`${LIST}\0`), makeZip([{ path: 'x', content: '\0' }])];
    const open = () => readdirSync(FILES_OPEN).length;
    const before = open();
    for (let i = 0; i < 20; i++)
      for (const content of refused) expect(typeof (await outcome(content))).toBe('string');
    await new Promise((resolve) => setImmediate(resolve));
    expect(open()).toBeLessThan(before + 10);
  });

  test('an aborted signal ends the reading', async () => {
    await expect(read(LIST, { ...LIMITS, signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
      'stop',
    );
  });
});

describe('text', () => {
  test('bytes that are no UTF-8 become replacement characters', async () => {
    expect((await read(Buffer.from('61ff62e4', 'hex'))).members).toEqual([['', 'a\ufffdb\ufffd']]);
  });

  test('a character cut by the end of a piece comes out whole', async () => {
    const text = `${'x'.repeat(256 * 1024 - 1)}ж${'é'.repeat(300_000)}`;
    expect((await read(text)).members).toEqual([['', text]]);
    expect((await read(gzipSync(text))).members).toEqual([['', text]]);
  });

  test('text that only looks a little like a web page is read', async () => {
    expect(await outcome('<headline.example.com')).toEqual([['', '<headline.example.com']]);
  });
});

describe('a file cut off anywhere is truncated or the same, never shorter', () => {
  const tar = makeTar(MEMBERS);
  test.each([
    ['gzip', gzipSync(LIST), 97],
    ['zstd', zstdCompressSync(LIST), 97],
    ['tar', tar, 509],
    ['tar.gz', gzipSync(tar), 131],
    ['zip', makeZip(MEMBERS), 211],
    ['zip, stored', makeZip(MEMBERS, { method: 'stored' }), 2_003],
  ] as const)('%s', async (name, whole, step) => {
    const complete = await outcome(whole);
    for (let cut = name === 'tar' ? 512 : 24; cut < whole.length; cut += step) {
      const got = await outcome(whole.subarray(0, cut));
      if (got !== 'truncated') expect([name, cut, got]).toEqual([name, cut, complete]);
    }
  });
});

const MALTRAIL = join(
  import.meta.dirname,
  '../../../../../../shared/data/feeds/maltrail/maltrail-static-trails.tar.gz',
);
test.skipIf(!existsSync(MALTRAIL))(
  'the largest real archive is read whole (only where the data set is)',
  async () => {
    let members = 0;
    const { bytes, rawBytes } = await readSnapshotFile(
      MALTRAIL,
      { bytesMax: 1024 ** 3 },
      {
        member: () => {
          members += 1;
        },
        text: () => undefined,
        memberEnd: () => undefined,
      },
    );
    expect({ bytes, members }).toEqual({ bytes: 15_997_452, members: 3_113 });
    expect(rawBytes).toBeGreaterThan(50_000_000);
  },
);

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}
