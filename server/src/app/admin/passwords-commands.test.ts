import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { passwordsCommands } from './passwords-commands.ts';

let dataDir: string;
let file: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'assay-passwords-admin-'));
  file = join(dataDir, 'list.txt');
  await writeFile(file, `${'0'.repeat(39)}1:7\r\n${'F'.repeat(40)}:3\r\n`);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ lines: string[]; documents: unknown[] }> {
  const [lines, documents]: [string[], unknown[]] = [[], []];
  const context = {
    config: { DATA_DIR: dataDir },
    clock: systemClock(),
    log: createLog('silent'),
    out: (line: string) => lines.push(line),
    json: (document: unknown) => documents.push(document),
  };
  await passwordsCommands(context).parseAsync(args, { from: 'user' });
  return { lines, documents };
}

test('status says what is loaded, also when nothing is loaded', async () => {
  expect((await run('status')).lines.slice(-2)).toEqual(['sha1    none', 'ntlm    none']);
});

test('load prints the number and the date of the hashes in use', async () => {
  const { lines } = await run('load', file, '--type', 'sha1', '--date', '2026-08-22');
  expect(lines).toEqual([expect.stringMatching(/^2 sha1 hashes of 2026-08-22 loaded in \d+\.\d s\.$/)]);
  expect((await run('status', '--json')).documents).toEqual([
    {
      sha1: {
        generation: expect.stringMatching(/^g000000001-[0-9a-f]{8}$/),
        entries: 2,
        bytes: expect.any(Number),
        corpusUpdatedAt: '2026-08-22T00:00:00.000Z',
        first: '00000',
        last: 'FFFFF',
        isPartial: false,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      ntlm: null,
      unfinished: { sha1: null, ntlm: null },
    },
  ]);
  expect((await run('status')).lines.at(-2)).toMatch(/^sha1 +2 {2}2026-08-22 +[\d,]+ {2}all +[0-9a-f]{16}/);
});

test.each(['22.08.2026', '2026-13-01', 'yesterday'])('the date %s is refused', async (date) => {
  await expect(run('load', file, '--type', 'sha1', '--date', date)).rejects.toThrow('is not a date');
});

test('load --partial says which prefixes are answered for, and status too', async () => {
  const { lines } = await run('load', file, '--type', 'sha1', '--partial', '00000-0cccc');
  expect(lines[0]).toMatch(/^1 sha1 hashes of .* with prefixes 00000 to 0CCCC loaded in/);
  expect((await run('status')).lines.at(-2)).toContain('00000 to 0CCCC');
});

test.each(['0-5', 'FFFFF-00000', '00000', '00000-GGGGG'])('the part %s is refused', async (partial) => {
  await expect(run('load', file, '--type', 'sha1', '--partial', partial)).rejects.toThrow(
    'is not a first and a last prefix',
  );
});

test('verify reads all hashes, and fails with the type that is damaged', async () => {
  await run('load', file, '--type', 'sha1');
  expect((await run('verify')).lines).toEqual(['2 sha1 hashes are as they were loaded.']);
  const folder = join(dataDir, 'passwords', 'sha1');
  const { generation } = JSON.parse(await readFile(join(folder, 'CURRENT'), 'utf8')) as {
    generation: string;
  };
  const data = join(folder, generation, 'data.mdb');
  const bytes = await readFile(data);
  const suffix = Buffer.alloc(6, 0xff);
  // Damages the count of the last entry, which stands right after its suffix.
  bytes.writeUInt32BE(8, bytes.indexOf(Buffer.concat([suffix, Buffer.from([0, 0, 0, 3])])) + suffix.length);
  await writeFile(data, bytes);
  await expect(run('verify')).rejects.toThrow('Load or copy again: sha1.');
  // A truncated copy must be reported and must not end the process.
  await truncate(data, 8_192);
  await expect(run('verify')).rejects.toThrow('Load or copy again: sha1.');
});

test('verify without a corpus says so', async () => {
  await expect(run('verify', '--type', 'ntlm')).rejects.toThrow('No corpus is loaded.');
});
