import { describe, expect, test } from 'vitest';
import { type ContactAnswer, contactTicket, contactView, defangedContact } from './contact-words.ts';

const LISTED = { id: 'spam-numbers', name: 'Spam\nnumbers', category: 'spam' };
const wallet = (level: string, word: string, score: number, changes: object = {}): ContactAnswer =>
  ({
    detectedType: 'crypto',
    malicious: word === 'Malicious',
    address: '1Boat',
    chain: 'bitcoin',
    riskScore: {
      score,
      level,
      word,
      summary: 'No list names this wallet; that is no proof that it is harmless.',
    },
    recommendedAction: level === 'critical' ? 'block' : 'unverified',
    sources: [],
    factors: [],
    ...changes,
  }) as unknown as ContactAnswer;
const email = (changes: object = {}): ContactAnswer =>
  ({
    detectedType: 'email',
    malicious: true,
    riskScore: { score: 75, level: 'high', word: 'Malicious', summary: 'x', factors: [] },
    recommendedAction: 'review',
    lookupStatus: 'unknown',
    evidence: { verdict: 'high', recommendedAction: 'review', reasons: [] },
    reasons: ['Its domain is listed.'],
    email: { disposable: true, freeProvider: false, roleAccount: true },
    domainReputation: { sources: 2 },
    validation: { mxValid: null },
    mailSecurity: { hasSPF: true, hasDMARC: false, grade: null },
    domainAge: { createdDate: '2026-11-10T00:00:00Z', days: 5 },
    lookalike: { brand: 'paypal.com', technique: 'homoglyph' },
    ...changes,
  }) as unknown as ContactAnswer;

describe('the verdict of a contact', () => {
  test.each([
    ['critical', 'Malicious', 90, 'malicious', 90],
    ['medium', 'Suspicious', 40, 'suspicious', 40],
    ['inconclusive', 'Not listed', 0, 'unknown', null],
  ])('of level %s is the word of the ladder', (level, word, score, tone, risk) => {
    expect(contactView(wallet(level, word, score))).toMatchObject({ word, tone, risk });
  });

  test('of an e-mail address does not become "Not seen" where only its domain is listed', () => {
    expect(contactView(email())).toMatchObject({ word: 'Malicious', tone: 'malicious', risk: 75 });
  });

  test('an unlisted contact is never called clean, and the summary is its reason', () => {
    const view = contactView(wallet('inconclusive', 'Not listed', 0));
    expect(view.reasons).toEqual(['No list names this wallet; that is no proof that it is harmless.']);
    expect(view.action).toBe('No data about this value. Decide on your own evidence.');
  });
});

test('what is not known of a mailbox is said to be not known', () => {
  expect(contactView(email()).facts.map(({ label, says }) => `${label}: ${says}`)).toEqual([
    'Mailbox: throw-away mailbox, stands for a function',
    'Domain lists: 2 threat lists name it',
    'It imitates: paypal.com (homoglyph)',
    'Receives mail: not known: no name server answered',
    'SPF: yes',
    'DMARC: no',
    'Mail grade: not known',
    'Registered: 2026-11-10, 5 days ago',
  ]);
});

test('a factor has the name of its list, else its own', () => {
  const factor = (name: string) => ({
    name,
    weight: 1,
    score: 90,
    contribution: 45,
    description: 'No list names it.',
  });
  const listed = wallet('critical', 'Malicious', 90, {
    sources: [LISTED],
    factors: [factor('spam-numbers'), factor('Mail posture')],
  });
  expect(contactView(listed).factorNames.map(({ name }) => name)).toEqual(['Spam\nnumbers', 'Mail posture']);
});

test('a phone number has its country by code and name', () => {
  const phone = (countryCode: string | null) =>
    contactView({
      detectedType: 'phone',
      riskScore: { score: 0, level: 'inconclusive', word: 'Not listed', summary: 'x' },
      recommendedAction: 'unverified',
      evidence: { verdict: 'unknown', reasons: [] },
      countryCode,
      lineType: 'toll_free',
      sources: [],
      factors: [],
    } as unknown as ContactAnswer).facts.map(({ says }) => says);
  expect(phone('CH')).toEqual(['CH, Switzerland', 'Toll free']);
  expect(phone(null)[0]).toBe('not known');
});

test('the ticket is defanged, has one fact on each line and no link', () => {
  const view = contactView(wallet('critical', 'Malicious', 90, { sources: [LISTED] }));
  const text = contactTicket({ type: 'crypto', value: '1Boat' }, view, Date.parse('2026-11-15T12:00:00Z'));
  expect(text.split('\n')).toEqual([
    '1Boat (Wallet): Malicious, risk 90 of 100.',
    'Why: No list names this wallet; that is no proof that it is harmless.',
    'Do: Block it.',
    'Lists: Spam numbers.',
    'Checked 2026-11-15 12:00:00 UTC with Assay.',
  ]);
  expect(defangedContact({ type: 'email', value: 'first.last@mail.evil.com' })).toBe(
    'first.last[@]mail[.]evil[.]com',
  );
});
