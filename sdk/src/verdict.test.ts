import { describe, expect, test } from 'vitest';
import { checkOf, rowOf, type Said, streamOf } from '../test/verdict.fixture.ts';
import { verdictOf, verdictOfRow } from './verdict.ts';

describe('the word of a verdict', () => {
  const cases: readonly (readonly [string, Said, string, string, string])[] = [
    [
      'level critical',
      { level: 'critical', verdict: 'critical' },
      'critical-risk',
      'Critical risk',
      'critical-risk',
    ],
    [
      'level critical, whatever word comes with it, because lists alone do not make it malicious',
      { level: 'critical', verdict: 'critical', word: 'Malicious' },
      'critical-risk',
      'Critical risk',
      'critical-risk',
    ],
    [
      'a scanner says so, at level high',
      { malicious: true, level: 'high', verdict: 'high', word: 'Malicious' },
      'malicious',
      'Malicious',
      'malicious',
    ],
    [
      'a scanner says so, and a word of another version says less',
      { malicious: true, level: 'critical', verdict: 'critical', word: 'Critical risk' },
      'malicious',
      'Malicious',
      'malicious',
    ],
    ['a scanner says so at basic', { malicious: true }, 'malicious', 'Malicious', 'malicious'],
    ['level high', { level: 'high', verdict: 'high' }, 'high-risk', 'High risk', 'high-risk'],
    ['level medium', { level: 'medium', verdict: 'medium' }, 'suspicious', 'Suspicious', 'suspicious'],
    [
      'level low, listed now',
      { level: 'low', verdict: 'low', word: 'Reported' },
      'reported',
      'Reported',
      'reported',
    ],
    [
      'level low, listed once',
      { level: 'low', verdict: 'low', word: 'Reported long ago' },
      'reported-long-ago',
      'Reported long ago',
      'reported',
    ],
    [
      'level low, listed by no source',
      { level: 'low', verdict: 'low', word: 'Low suspicion' },
      'low-suspicion',
      'Low suspicion',
      'reported',
    ],
    [
      'level low without a word claims no report',
      { level: 'low', verdict: 'low' },
      'low-suspicion',
      'Low suspicion',
      'reported',
    ],
    [
      'the word of an older version, which reads as a statement of safety',
      { level: 'low', verdict: 'low', word: 'Low risk' },
      'low-suspicion',
      'Low suspicion',
      'reported',
    ],
    [
      'a word of goodness beside a grave level',
      { level: 'high', verdict: 'high', word: 'Known good' },
      'high-risk',
      'High risk',
      'high-risk',
    ],
    [
      'a test file',
      { malicious: true, level: 'high', verdict: 'high', action: 'block', word: 'Test file' },
      'test-file',
      'Test file',
      'high-risk',
    ],
    [
      'a test file at basic',
      { malicious: true, categories: ['malware', 'test'] },
      'test-file',
      'Test file',
      'high-risk',
    ],
    [
      'a vulnerable driver in a repository of samples',
      {
        malicious: true,
        level: 'critical',
        verdict: 'critical',
        action: 'review',
        word: 'Vulnerable driver',
      },
      'vulnerable-driver',
      'Vulnerable driver',
      'suspicious',
    ],
    [
      'the empty file in a repository of samples',
      { malicious: true, level: 'high', verdict: 'high', action: 'ignore', word: 'Empty file' },
      'empty-file',
      'Empty file',
      'neutral',
    ],
    [
      'a popular name',
      { level: 'safe', verdict: 'safe', word: 'Popular site' },
      'popular-site',
      'Popular site',
      'good',
    ],
    [
      'a named service, a word of a newer version',
      { level: 'safe', verdict: 'safe', word: 'Common service: Example DNS' },
      'known-good',
      'Common service: Example DNS',
      'good',
    ],
    [
      'a reserved name',
      { level: 'safe', verdict: 'safe', word: 'Reserved name' },
      'reserved',
      'Reserved name',
      'neutral',
    ],
    ['safe, from an older service', { level: 'safe', verdict: 'safe' }, 'known-good', 'Known good', 'good'],
    [
      'a name that no source lists',
      { level: 'inconclusive', verdict: 'unknown', action: 'unverified', word: 'Not listed' },
      'not-listed',
      'Not listed',
      'unknown',
    ],
    [
      'the same from an older service: its level is safe, its evidence unknown',
      { level: 'safe', verdict: 'unknown', action: 'unverified' },
      'unknown',
      'Unknown',
      'unknown',
    ],
    [
      'a report that has faded',
      { level: 'inconclusive', verdict: 'unknown', word: 'Old report' },
      'old-report',
      'Old report',
      'neutral',
    ],
    [
      'on lists of trackers only',
      { level: 'inconclusive', verdict: 'unknown', action: 'monitor', word: 'Tracking only' },
      'tracking',
      'Tracking only',
      'neutral',
    ],
    ['no word is sent', { level: 'inconclusive', verdict: 'unknown' }, 'unknown', 'Unknown', 'unknown'],
    [
      'a file that no source has seen',
      { level: 'inconclusive', verdict: 'unknown', lookupStatus: 'unknown' },
      'not-seen',
      'Not seen',
      'unknown',
    ],
    [
      'a file that was listed once',
      { level: 'low', verdict: 'low', lookupStatus: 'unknown', word: 'Reported long ago' },
      'reported-long-ago',
      'Reported long ago',
      'reported',
    ],
    [
      'a private address',
      { level: 'safe', verdict: 'safe', action: 'not-applicable', attributes: ['bogon'] },
      'reserved',
      'Reserved address',
      'neutral',
    ],
    ['a private address at basic', { attributes: ['bogon'] }, 'reserved', 'Reserved address', 'neutral'],
    [
      'an address of an unassigned network',
      { level: 'safe', verdict: 'unknown', attributes: ['bogon'] },
      'unknown',
      'Unknown',
      'unknown',
    ],
    ['a check at basic', { hits: 0 }, 'unknown', 'Unknown', 'unknown'],
    ['a level without evidence', { level: 'safe' }, 'unknown', 'Unknown', 'unknown'],
    [
      'a verdict unknown to this version',
      { level: 'safe', verdict: 'benign' },
      'benign',
      'benign',
      'neutral',
    ],
    [
      'a level unknown to this version',
      { level: 'extreme', verdict: 'low' },
      'extreme',
      'extreme',
      'neutral',
    ],
    [
      'a level from the future beside a grave verdict',
      { level: 'extreme', verdict: 'critical' },
      'critical-risk',
      'Critical risk',
      'critical-risk',
    ],
    [
      'a lookup status from the future',
      { level: 'safe', verdict: 'safe', lookupStatus: 'queued' },
      'queued',
      'queued',
      'neutral',
    ],
    [
      'a name that every object has',
      { level: 'constructor', verdict: 'toString' },
      'toString',
      'toString',
      'neutral',
    ],
    ['nothing in it', { level: '', verdict: '' }, 'unknown', 'Unknown', 'unknown'],
  ];

  test.each(cases)('%s', (_name, said, id, word, tone) => {
    expect(verdictOf(checkOf(said))).toEqual({ id, word, tone });
  });

  test.each(cases)(
    'a stream gets the same word, whichever phase has its verdict: %s',
    (_name, said, id, word, tone) => {
      expect(verdictOf(streamOf(said, 'first'))).toEqual({ id, word, tone });
      expect(verdictOf(streamOf(said, 'insights'))).toEqual({ id, word, tone });
    },
  );

  test('a stream without any phase is unknown', () => {
    expect(verdictOf({}).word).toBe('Unknown');
  });
});

describe('the word of a row', () => {
  test.each<[string, Said, string]>([
    ['malicious', { malicious: true, level: 'critical', verdict: 'critical' }, 'Malicious'],
    ['critical by lists alone', { level: 'critical', verdict: 'critical' }, 'Critical risk'],
    ['at basic, listed faintly', { level: 'low', action: 'monitor', word: 'Reported' }, 'Reported'],
    ['at basic, empty', { level: 'inconclusive', action: 'ignore', word: 'Empty file' }, 'Empty file'],
    ['listed', { level: 'high', verdict: 'high', hits: 3 }, 'High risk'],
    ['popular', { level: 'safe', verdict: 'safe', action: 'allow', word: 'Popular site' }, 'Popular site'],
    ['no source lists it', { level: 'inconclusive', verdict: 'unknown', word: 'Not listed' }, 'Not listed'],
    ['an unseen file has no level', { lookupStatus: 'unknown', action: 'unverified' }, 'Not seen'],
    ['at basic, popular', { level: 'safe', action: 'allow', attributes: ['allowlist'] }, 'Known good'],
    [
      'at basic, private',
      { level: 'safe', action: 'not-applicable', word: 'Reserved address', attributes: ['bogon'] },
      'Reserved address',
    ],
    [
      'at basic, a reserved name',
      { level: 'safe', action: 'not-applicable', word: 'Reserved name' },
      'Reserved name',
    ],
    ['at basic, no source lists it', { level: 'inconclusive', word: 'Not listed' }, 'Not listed'],
    ['at basic, an older service', { level: 'safe', action: 'unverified' }, 'Unknown'],
    ['at basic, listed too weakly to count', { level: 'inconclusive', word: 'Weak report' }, 'Weak report'],
    ['at basic, listed', { level: 'medium', action: 'review', hits: 1 }, 'Suspicious'],
  ])('%s', (_name, said, word) => {
    expect(verdictOfRow(rowOf(said)).word).toBe(word);
  });

  test('a row with an error is not checked, whatever its other fields are', () => {
    const row = rowOf({ level: 'safe', verdict: 'safe', attributes: ['allowlist'] }, 'Not an indicator.');
    expect(verdictOfRow(row)).toEqual({ id: 'not-checked', word: 'Not checked', tone: 'unknown' });
  });
});
