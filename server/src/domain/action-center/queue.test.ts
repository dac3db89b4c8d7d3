import { describe, expect, test } from 'vitest';
import { socActionsOf } from './actions.ts';
import { type Candidate, orderQueue } from './queue.ts';
import { alertCandidate, caseCandidate, findingCandidate } from './reasons.ts';

const NOW = Date.UTC(2026, 10, 16, 12);
const HOUR = 3_600_000;
const alert = (id: string, more: object = {}): Candidate =>
  alertCandidate(
    {
      id,
      severity: 'high',
      status: 'OPEN',
      title: 'bad.example: Malicious',
      description: null,
      reason: 'Two lists name it since today.',
      entityType: 'domain',
      entityValue: 'bad.example',
      findingId: null,
      createdAtMs: NOW - 80 * HOUR,
      updatedAtMs: NOW - 80 * HOUR,
      ...more,
    },
    NOW,
  );
const finding = (id: string, more: object = {}): Candidate =>
  findingCandidate(
    {
      id,
      cveId: 'CVE-2024-31867',
      status: 'OPEN',
      priority: 1,
      cveCount: 1,
      kevCount: 0,
      isConfirmed: true,
      isKev: true,
      isExploited: false,
      epssScore: null,
      severity: 'HIGH',
      vendor: 'apache',
      product: 'zeppelin',
      version: '0.10.1',
      fixedVersion: '0.11.1',
      createdAtMs: NOW - HOUR,
      updatedAtMs: NOW - HOUR,
      ...more,
    },
    NOW,
  );
const caseOf = (id: string, more: object = {}): Candidate =>
  caseCandidate(
    {
      id,
      title: 'Beacon',
      description: null,
      status: 'OPEN',
      priority: 'HIGH',
      entityType: null,
      entityValue: null,
      linkedAlertId: null,
      linkedCveFindingId: null,
      evidenceCount: 1,
      createdAtMs: NOW - 2 * HOUR,
      updatedAtMs: NOW,
      ...more,
    },
    NOW,
  );
const idsOf = (candidates: readonly Candidate[], max = 25) => orderQueue(candidates, max).map(({ id }) => id);

describe('the queue', () => {
  test('is by urgency, then oldest first, and ends at its size', () => {
    const all = [
      caseOf('c1', { priority: 'LOW' }),
      alert('a1'),
      finding('f1'),
      alert('a2', { createdAtMs: NOW }),
    ];
    expect(idsOf(all)).toEqual(['f1', 'a1', 'a2', 'c1']);
    expect(idsOf(all, 2)).toEqual(['f1', 'a1']);
  });

  test('shows one thing once, by its strongest form', () => {
    const withFinding = alert('a1', { severity: 'critical', findingId: 'f1' });
    expect(idsOf([withFinding, finding('f1')])).toEqual(['f1']);
    expect(idsOf([withFinding, finding('f1'), caseOf('c1', { linkedAlertId: 'a1' })])).toEqual(['f1']);
    const critical = caseOf('c1', { linkedCveFindingId: 'f1', priority: 'CRITICAL' });
    expect(idsOf([withFinding, finding('f1'), critical])).toEqual(['c1']);
  });

  test('things that share a link to something outside of the queue are one', () => {
    expect(idsOf([caseOf('c1', { linkedAlertId: 'gone' }), caseOf('c2', { linkedAlertId: 'gone' })])).toEqual(
      ['c1'],
    );
  });

  test('every reason is a sentence with its facts', () => {
    expect(alert('a1').reason).toBe(
      'Alert of severity high, open for 3 days and without activity for 3 days: Two lists name it since today.',
    );
    expect(finding('f1').reason).toBe(
      'CVE-2024-31867 is in the catalogue of known exploited vulnerabilities; it concerns apache zeppelin 0.10.1, and 0.11.1 is fixed. Known here for 1 hour.',
    );
    const weak = {
      isKev: false,
      priority: 2,
      epssScore: 0.31,
      isConfirmed: false,
      version: null,
      fixedVersion: null,
    };
    expect(finding('f1', weak).reason).toBe(
      'CVE-2024-31867 is exploited within 30 days with a probability of 31 %; it may concern apache zeppelin of unknown version, and no fixed version is known. Known here for 1 hour.',
    );
    expect(caseOf('c1').reason).toBe(
      'Case of priority HIGH, open, opened 2 hours ago, with 1 piece of evidence; last change less than an hour ago.',
    );
  });
});

test('figures of zero ask for nothing; others are steps, most urgent first', () => {
  const none = {
    openCriticalAlerts: 0,
    openHighAlerts: 0,
    staleOpenAlerts: 0,
    acknowledgedAlerts: 0,
    activeExploitFindings: 0,
    kevFindings: 0,
    openCases: 0,
  };
  expect(socActionsOf(none)).toEqual([]);
  expect(socActionsOf({ ...none, openCases: 2, kevFindings: 1 }).map(({ title }) => title)).toEqual([
    'Patch 1 finding of known exploited vulnerabilities',
    'Work on 2 open cases',
  ]);
});
