import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE } from '#capabilities/ransomware/claims.fixture.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { adminRun } from '#test/run-admin.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-ransomware-admin-'));
const page = join(folder, 'index.html');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  writeFileSync(
    page,
    PAGE.replace('</table>', '<tr><td>northwind clinic</td><td>akira</td><td>2026-05-06</td></tr></table>'),
  );
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});
const admin = (...args: readonly string[]) =>
  adminRun({ DATABASE_URL: database.url, DATA_DIR: folder }, ['ransomware', ...args]);

describe('admin ransomware', () => {
  test('load tells what was read and what is new; the same file again is unchanged', async () => {
    const first = await admin('load', 'ransomposts-latest', page, '--date', '2026-05-07');
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.lines).toEqual(['ransomposts-latest: 3 rows read, 2 new, 3 in use.']);
    const again = await admin('load', 'ransomposts-latest', page, '--date', '2026-05-07', '--json');
    expect(again.documents).toMatchObject([{ sources: [{ status: 'unchanged' }] }]);
  });

  test('status names every source with the date of its data, its licence and what is missing', async () => {
    const [document] = (await admin('status', '--json')).documents as [{ sources: { id: string }[] }];
    expect(document.sources).toHaveLength(10);
    expect(document.sources.find(({ id }) => id === 'ransomposts-latest')).toMatchObject({
      dataAt: '2026-05-07T00:00:00.000Z',
      records: 3,
      licence: 'EUPL-1.2',
      problem: null,
    });
    expect((await admin('status')).text).toMatch(/cyberwatch +missing/);
  });

  test('merges lists what was taken for one claim', async () => {
    const { lines } = await admin('merges');
    expect(lines).toEqual([
      'akira  (by name)  2026-05-05 ransomposts-latest: Northwind Clinic | 2026-05-06 ransomposts-latest: northwind clinic',
      '1 claims of several posts.',
    ]);
  });

  test('confirm needs a claim and a public page', async () => {
    const [document] = (await admin('merges', '--json')).documents as [{ merges: { id: string }[] }];
    const id = document.merges[0]?.id ?? '';
    const done = await admin('confirm', id, '--reference', 'https://northwind.example.com/notice');
    expect(done.lines).toEqual([`${id} is confirmed by an operator: https://northwind.example.com/notice`]);
    for (const [args, sentence] of [
      [[id], /--reference with a public page, or --withdraw/],
      [[id, '--reference', 'http://leak.onion/'], /public https address/],
      [['rcl_unheard', '--withdraw'], /was not found/],
    ] as const) {
      const refused = await admin('confirm', ...args);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(sentence);
    }
    expect((await admin('confirm', id, '--withdraw')).lines).toEqual([`${id} is a claim again.`]);
  });

  test('an unknown source, a missing file and a refused one are sentences', async () => {
    expect((await admin('load', 'elsewhere', page)).stderr).toMatch(
      /is no source; use one of ransomwatch-posts/,
    );
    expect((await admin('load', 'ransomlook', join(folder, 'none.json'))).stderr).toMatch(
      /cannot be read \(ENOENT\)/,
    );
    const refused = await admin('load', 'ransomlook', page);
    expect([refused.code, refused.lines[0]]).toEqual([
      1,
      expect.stringMatching(/^ransomlook: quarantined\. The file is not JSON/),
    ]);
    expect((await admin('status')).text).toMatch(/ransomlook +failing/);
  });
});
