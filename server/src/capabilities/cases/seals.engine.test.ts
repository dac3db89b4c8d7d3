import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CasesRig, createCasesRig, DAY_MS, RIG_NOW } from '#test/cases-rig.ts';
import { CALLER } from '#test/http-app.ts';
import { adminRun } from '#test/run-admin.ts';
import { readEvidenceRoots } from './read-roots.ts';
import { verifyAll } from './verify-all.ts';

const GUIDE = join(import.meta.dirname, '../../../../docs/guides/case-evidence.md');

let rig: CasesRig;
let folder: string;
let caseId: string;
beforeAll(async () => {
  rig = await createCasesRig();
  folder = mkdtempSync(join(tmpdir(), 'assay-case-'));
  for (const account of ['org_02', 'org_03', 'org_01']) {
    rig.as({ ...CALLER, accountId: account });
    caseId = (await rig.open({ title: 'Beacon <script>' })).id;
    for (let at = 0; at < 3; at += 1)
      await rig.add(caseId, {
        kind: 'note',
        title: `Größe ${at} *`,
        payload: { at, small: 1e-7, deep: { '€': [null] } },
      });
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await rig?.close();
});

const exported = async (): Promise<string> => (await rig.call('GET', `/cases/${caseId}/export`)).text;
const verified = async () => (await rig.call('GET', `/cases/${caseId}/verify`)).body;

/** Runs the Python program of the guide as a reader would copy it. */
function checkWithPython(file: string, root: string): string {
  const program = /```python\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? '';
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(20);
  const script = join(folder, 'check.py');
  writeFileSync(script, program);
  writeFileSync(join(folder, 'case.json'), file);
  const asked = [script, join(folder, 'case.json'), root];
  return execFileSync('python3', asked, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

test('each day is sealed once, with one public root over all accounts', async () => {
  expect(await verified()).toMatchObject({ ok: true, length: 3, sealed: null });
  rig.clock.set(RIG_NOW + DAY_MS);
  expect(await rig.seal()).toEqual({ day: '2026-11-16', seals: 3, roots: 1 });
  expect(await rig.seal()).toEqual({ day: '2026-11-16', seals: 0, roots: 0 });
  expect(await readEvidenceRoots(rig.postgres)).toEqual([
    { day: '2026-11-16', root: expect.stringMatching(/^[0-9a-f]{64}$/), accounts: 3 },
  ]);
  expect(await verified()).toMatchObject({ ok: true, sealed: { day: '2026-11-16', length: 3 } });
  expect(await verifyAll(rig.system)).toMatchObject({
    accounts: 3,
    cases: 3,
    pieces: 9,
    seals: 3,
    broken: [],
  });
});

test('an account that does nothing more gets one further seal, of the audit entry of the first, and then none', async () => {
  rig.clock.set(RIG_NOW + 2 * DAY_MS);
  expect(await rig.seal()).toMatchObject({ seals: 3 });
  rig.clock.set(RIG_NOW + 3 * DAY_MS);
  expect(await rig.seal()).toMatchObject({ seals: 0, roots: 1 });
  expect((await verifyAll(rig.system)).broken).toEqual([]);
});

// Skipped where Python is missing; the other tests check the same hashes without it.
test.skipIf(spawnSync('python3', ['--version']).status !== 0)(
  'a stranger checks an export with the Python of the guide',
  async () => {
    const file = await exported();
    const { seal } = JSON.parse(file) as { seal: { root: string; day: string } };
    const roots = await readEvidenceRoots(rig.postgres);
    const root = roots.find(({ day }) => day === seal.day)?.root ?? '';
    expect(checkWithPython(file, root)).toBe('3 pieces fit; 3 of them are under the root.');
    expect(() => checkWithPython(file.replaceAll('Größe 1', 'Größe 2'), root)).toThrow(/position 2/);
    expect(() => checkWithPython(file, 'f'.repeat(64))).toThrow(/root/);
  },
);

test('the page for people holds no markup of callers', async () => {
  const { text, headers } = await rig.call('GET', `/cases/${caseId}/export?format=md`);
  expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(headers['content-disposition']).toBe(`attachment; filename="${caseId}.md"`);
  expect(text).toContain('# Beacon \\<script\\>');
  expect(text).toContain('All 3 pieces fit.');
  expect(text).not.toContain('<script>');
});

test('an operator is told every place that was changed past the service', async () => {
  const admin = () => adminRun({ DATABASE_URL: rig.databaseUrl }, ['cases', 'verify']);
  expect(await admin()).toMatchObject({ code: 0, text: expect.stringContaining('Everything fits') });
  await rig.owner.query('update case_evidence set title = $2 where case_id = $1 and position = 2', [
    caseId,
    'x',
  ]);
  const run = await admin();
  expect(run.code).toBe(1);
  expect(run.text).toContain(caseId);
  expect(run.text).toContain('position 2');
  expect(await verified()).toMatchObject({ ok: false, brokenAt: 2 });
  await rig.owner.query(`update case_evidence set title = 'Größe 1 *' where case_id = $1 and position = 2`, [
    caseId,
  ]);
  await rig.owner.query(
    `update audit_entry set actor_id = 'key_99' where account_id = 'org_02' and action = 'case.create'`,
  );
  expect((await verifyAll(rig.system)).broken).toMatchObject([{ accountId: 'org_02', day: '2026-11-16' }]);
  await rig.owner.query(`update audit_entry set actor_id = 'key_01' where actor_id = 'key_99'`);
  expect((await verifyAll(rig.system)).broken).toEqual([]);
});

test('a database that was computed anew as a whole disagrees with a root that was noted outside', async () => {
  const noted = { '2026-11-16': 'a'.repeat(64) };
  expect((await verifyAll(rig.system, { noted })).broken).toMatchObject([
    { day: '2026-11-16', message: expect.stringContaining('noted') },
  ]);
});
