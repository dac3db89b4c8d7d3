import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { FORBIDDEN, REBINDING } from './egress-corpus.ts';
import type { EgressReport } from './egress-report.ts';

/**
 * No packet leaves for an address that is not public, by any way out (reliability S3). The guard runs in its
 * own network namespace with the settings of production (no extra allowance), and the kernel counts packets.
 */
const CHILD = import.meta.dirname.concat('/egress-child.ts');
const NOT_SENT = ['address', 'invalid_url', 'port', 'scheme', 'userinfo', 'redirect', 'dns', 'ignored'];

const isPermitted =
  spawnSync('unshare', ['-n', 'nft', 'list', 'tables']).status === 0 &&
  spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
const mayBeSkipped = !isPermitted && process.env.CI === undefined;
if (mayBeSkipped)
  process.stderr.write('SKIPPED: no packet was counted. It takes root, unshare, iproute2 and nftables.\n');

describe.skipIf(mayBeSkipped)('in its own network namespace', () => {
  let report: EgressReport;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)('unshare', ['-n', process.execPath, CHILD], {
      // Below the 600 s of a hook, so that the child ends with the test.
      timeout: 560_000,
      maxBuffer: 16 * 1024 * 1024,
    });
    report = JSON.parse(stdout) as EgressReport;
  });

  test('every spelling, name, redirect, referral, port, scheme and user name of the corpus is refused', () => {
    expect(report.tries.filter(({ outcome }) => !NOT_SENT.includes(outcome))).toEqual([]);
    expect(report.tries.length).toBeGreaterThan(1_000);
    for (const way of ['fetch', 'exchange', 'handshake', 'referral', 'written', 'webhook'])
      expect(report.tries.filter((each) => each.way === way).length).toBeGreaterThan(150);
  });

  test('not one packet leaves for a special-purpose range or for our own address', () => {
    expect(Object.keys(report.afterCorpus)).toHaveLength(FORBIDDEN.length + 2);
    const left = Object.entries(report.afterCorpus).filter(([, packets]) => packets > 0);
    expect(left.map(([range]) => range)).toEqual(['peers']);
  });

  test('the counters work: they count a connection that bypasses the guard, and one datagram to each range', () => {
    expect(report.afterControl['169.254.0.0/16']).toBeGreaterThan(0);
    expect(report.afterControl.elsewhere).toBeGreaterThan(0);
    const silent = FORBIDDEN.filter(({ range }) => (report.afterSamples[range] ?? 0) === 0);
    expect(silent.map(({ range }) => range)).toEqual(report.refusedByKernel);
    expect(report.refusedByKernel).toEqual([]);
  });

  test('the peer on a public address is reached by every way out', () => {
    const named = report.controls.filter(
      ({ target }) => !Object.keys(REBINDING).some((name) => target.includes(name)),
    );
    expect(named.length).toBeGreaterThanOrEqual(10);
    expect(named.filter(({ outcome }) => outcome !== 'reached')).toEqual([]);
  });

  test('a name that changes its address is reached while the address is public and refused when it is not', () => {
    for (const name of Object.keys(REBINDING)) {
      const outcomes = report.controls
        .filter(({ target }) => target.includes(name))
        .map(({ outcome }) => outcome);
      expect(outcomes).toContain('reached');
      expect(outcomes).toContain('address');
      expect(outcomes.every((outcome) => outcome === 'reached' || outcome === 'address')).toBe(true);
    }
  });
});
