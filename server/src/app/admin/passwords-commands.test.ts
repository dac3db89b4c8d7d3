import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
        generation: 'g000000001',
        entries: 2,
        bytes: expect.any(Number),
        corpusUpdatedAt: '2026-08-22T00:00:00.000Z',
      },
      ntlm: null,
    },
  ]);
});

test.each(['22.08.2026', '2026-13-01', 'yesterday'])('the date %s is refused', async (date) => {
  await expect(run('load', file, '--type', 'sha1', '--date', date)).rejects.toThrow('is not a date');
});
