import { describe, expect, test } from 'vitest';
import { type CaseParts, caseOf, GRADE_A, guardedBy, listed } from './case.fixture.ts';
import type { Subject } from './facts.ts';
import { judgeCase } from './judge-case.ts';
import { agoOf } from './wording.ts';

const judged = (parts: CaseParts) => judgeCase(caseOf(parts));
const reasons = (parts: CaseParts) => judged(parts).evidence.reasons;

describe('reasons an analyst can act on', () => {
  test('each reason names source, accusation and age; listings that add nothing are named; strongest first', () => {
    const listings = [
      listed('blocklist.de'),
      listed('Feodo', { ...GRADE_A, category: 'c2', lineage: 'abuse.ch' }),
      listed('ThreatFox', { ...GRADE_A, category: 'c2', lineage: 'abuse.ch' }, { ageH: 26 }),
      listed('IPsum', { aggregate: true }),
      listed('Old list', {}, { ageH: 9_000 }),
    ];
    const verdict = judged({ listings });
    expect(verdict.evidence.reasons).toEqual([
      'Feodo lists it for command and control, last seen within the hour.',
      'blocklist.de lists it for brute-force attempts, last seen within the hour.',
      'ThreatFox lists it for command and control, last seen 26 hours ago.',
      'Also listed by IPsum, made of other lists: nothing is added.',
      'Also listed by Old list, too long ago or too far from it to count.',
    ]);
    expect(verdict.riskScore.summary).toBe(
      'Listed by 5 sources, foremost for command and control: 93 of 100 points (Critical risk).',
    );
    expect(verdict.riskScore.factors.map(({ name, contribution }) => [name, contribution])).toEqual([
      ['Feodo', 63],
      ['blocklist.de', 19],
      ['ThreatFox', 11],
    ]);
    expect(verdict.riskScore.factors[2]?.description).toBe(
      'ThreatFox lists it for command and control, last seen 26 hours ago. Another list of its operator is counted already, so it adds a quarter.',
    );
  });

  test('the points that context took away, and the list that says so', () => {
    const service = listed('service-list', { name: 'Cloudflare', threatClass: 'allowlist' });
    const listings = [listed('DROP', { ...GRADE_A, category: 'malware' }), service];
    expect(reasons({ listings, context: { guards: guardedBy('service') } })).toEqual([
      'DROP lists it for malware, last seen within the hour.',
      'Cloudflare knows it as part of a service that many share, which takes 24 points away.',
    ]);
  });

  test('a former listing says when it ended (ruling 5)', () => {
    const verdict = judged({ listings: [listed('blocklist.de', {}, { isDelisted: true, ageH: 24 * 20 })] });
    expect(verdict.evidence.reasons).toEqual([
      'blocklist.de listed it for brute-force attempts; delisted 20 days ago.',
      'No source lists it now.',
    ]);
    expect(verdict.riskScore.summary).toBe(
      'Not listed now; 6 points of 100 are left of former listings and of neighbours.',
    );
    expect(verdict.blocklistHits).toBe(0);
  });

  test.each<[string, Subject['kind'], object]>([
    ['it', 'ip', { matchType: 'exact' }],
    ['the /24 it lies in', 'ip', { matchType: 'cidr', prefixBits: 24 }],
    ['another address of its /64', 'ip', { matchType: 'site' }],
    ['its parent domain', 'domain', { matchType: 'parent' }],
    ['a page on it', 'domain', { matchType: 'page' }],
    ['a name below it', 'domain', { matchType: 'child' }],
    ['its domain', 'email', { matchType: 'parent' }],
    ['the same file under another digest', 'hash', { matchType: 'alias' }],
    ['its host', 'url', { matched: 'shop.example' }],
    ['a domain above its host', 'url', { matched: 'shop.example', matchType: 'parent' }],
    ['the /24 its host lies in', 'url', { matched: '192.0.2.0/24', matchType: 'cidr', prefixBits: 24 }],
  ])('says that %s is listed, of %s', (words, kind, entry) => {
    const listings = [listed('X', { category: 'phishing', reliability: 0.95 }, entry)];
    expect(reasons({ subject: { kind, value: 'https://shop.example/' }, listings })[0]).toBe(
      `X lists ${words} for phishing, last seen within the hour.`,
    );
  });

  test('never more than twelve', () => {
    const listings = [
      ...Array.from({ length: 42 }, (_, n) => listed(`feed-${n}`)),
      ...['a', 'b'].map((id) => listed(id, { aggregate: true })),
      listed('ads', { adOnly: true }),
      listed('cloud', { threatClass: 'infrastructure', category: 'cloud' }),
    ];
    const context = { guards: guardedBy('service', 'anonymity', 'scanner') };
    const told = reasons({ listings, context });
    expect(told.length).toBeLessThanOrEqual(12);
    expect(told).toContainEqual(expect.stringMatching(/^37 more listings add \d+ points\.$/));
  });

  test('no reason and no description contains the queried or the matched value', () => {
    const subject = { kind: 'url', value: 'https://secret.example/x' } as const;
    const matched = 'secret.example';
    const listings = ['exact', 'parent', 'page', 'child', 'cidr'].map((matchType, n) =>
      listed(`s${n}`, {}, { matchType: matchType as 'exact', matched }),
    );
    const context = { guards: guardedBy('known-good'), platform: matched };
    expect(JSON.stringify(judged({ subject, listings, context }))).not.toContain('secret');
  });

  test('every reason is a sentence', () => {
    const listings = [
      listed('a'),
      listed('b', { adOnly: true }),
      listed('c', {}, { isDelisted: true, ageH: 9 }),
    ];
    const asn = { asn: 64_500, sourceId: 'drop', sourceName: 'ASN-DROP' };
    const { evidence, riskScore, confidence, trust } = judged({ listings, asn });
    const texts = [
      ...evidence.reasons,
      ...riskScore.factors.map(({ description }) => description),
      ...evidence.contradictorySignals.map(({ description }) => description),
      riskScore.summary,
      confidence.explanation,
      trust.providerAgreement.summary,
    ];
    for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9].*[^.]\.$/);
  });

  test('ages in words', () => {
    expect([0, 1, 2, 47, 48, 71, 72, 24 * 400].map(agoOf)).toEqual([
      'within the hour',
      '1 hour ago',
      '2 hours ago',
      '47 hours ago',
      '2 days ago',
      '2 days ago',
      '3 days ago',
      '400 days ago',
    ]);
  });
});
