import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openListedCorpus } from '#test/listed-corpus.ts';
import { MAIL_NOW_MS } from '#test/mail/mail-rig.ts';

const CHILD = import.meta.dirname.concat('/mail-egress-child.ts');
const isPermitted =
  spawnSync('unshare', ['-n', 'ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far']).status ===
  0;
const mayBeSkipped = !isPermitted && process.env.CI === undefined;
if (mayBeSkipped)
  process.stderr.write('SKIPPED: no packet of a scan was counted. It takes root, unshare and iproute2.\n');

describe.skipIf(mayBeSkipped)('a scan in its own network namespace (trap 50)', () => {
  test('sends no packet to a host of the message and writes no file, and the counter works', async () => {
    const listed = await openListedCorpus(MAIL_NOW_MS);
    const folder = mkdtempSync(join(tmpdir(), 'assay-mail-egress-'));
    try {
      await listed.list('some', ['http://evil-link.net/'], { category: 'phishing', reliability: 0.7 });
      const { stdout } = await promisify(execFile)(
        'unshare',
        ['-n', process.execPath, CHILD, listed.built.dataDir],
        {
          timeout: 230_000,
          cwd: join(import.meta.dirname, '../..'),
          env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, TMPDIR: folder },
        },
      );
      const report = JSON.parse(stdout) as { verdict: string; links: number; sent: number; control: number };
      expect(report).toMatchObject({ verdict: 'suspicious', links: 3, sent: 0 });
      expect(report.control).toBeGreaterThan(0);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await listed.close();
    }
  });
});
