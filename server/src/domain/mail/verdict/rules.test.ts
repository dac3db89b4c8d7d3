import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makePe } from '#test/mail/made-files.ts';
import { ESTABLISHED, type Given, judge, LISTED, type MadeMail, makeMail } from '#test/mail/made-mail.ts';
import { MAIL_ACTIONS } from './judge-message.ts';

const LINK: MadeMail = { html: '<a href="http://bad.example.org/x">x</a>' };
const word = (given: object): Given => ({ words: { 'bad.example.org': { ...LISTED, ...given } } });

describe('contract 4.9 rule 1: a listing of 0.90 alone makes a message malicious', () => {
  test.each<[string, MadeMail, string]>([
    ['a link', LINK, 'bad.example.org'],
    ['a file', { parts: [{ type: 'a/b', content: 'x', filename: 'a.bin' }] }, 'a.bin'],
    ['the sender', {}, 'kunde.example.org'],
  ])('%s at 0.90 and at 0.89 (trap 44)', async (_, mail, key) => {
    const at = (weight: number) => judge(mail, { words: { [key]: { ...LISTED, weight } } });
    expect(await at(0.9)).toMatchObject({ verdict: 'malicious', action: 'quarantine' });
    expect((await at(0.9)).score).toBeGreaterThanOrEqual(90);
    expect(await at(0.89)).toMatchObject({ verdict: 'suspicious', action: 'review' });
    expect((await at(0.89)).score).toBeLessThan(90);
  });

  test('a weight that is a product of two factors is not lost to rounding', async () => {
    expect((await judge(LINK, word({ weight: 0.3 * 3 }))).verdict).toBe('malicious');
  });

  test('the connecting address and the address for replies never do', async () => {
    const mail = { headers: ['Received: from a ([198.51.101.7]) by b', 'Reply-To: x@bad.example.org'] };
    const all = { ...LISTED, weight: 1, level: 'critical' } as const;
    const judged = await judge(mail, { words: { '198.51.101.7': all, 'bad.example.org': all } });
    expect(judged).toMatchObject({ verdict: 'suspicious', action: 'review' });
  });

  test('the worst shape never asks for quarantine (trap 43)', async () => {
    const judged = await judge({
      from: 'PayPal Support <x@kunde.example.org>',
      html: '<a href="http://bad.example.org/">www.paypal.com</a>',
      parts: [{ type: 'a/b', content: makePe(), filename: 'invoice.pdf.exe' }],
    });
    expect(judged).toMatchObject({ verdict: 'suspicious', action: 'review' });
    expect(judged.score).toBeLessThan(90);
  });
});

describe('contract 4.9 rule 2: clean needs every condition', () => {
  const PICTURE = { type: 'image/png', content: Buffer.from('89504e470d0a1a0a00', 'hex'), filename: 'a.png' };
  const pass = 'Authentication-Results: mx.firma.com; dmarc=pass header.from=kunde.example.org';
  const CLEAN: MadeMail = {
    headers: [pass, 'Received: from a ([198.51.101.7]) by mx.firma.com'],
    html: '<a href="https://kunde.example.org/x">x</a>',
    parts: [PICTURE],
  };
  const GIVEN: Given = { words: { 'kunde.example.org': ESTABLISHED }, trust: { authservId: 'mx.firma.com' } };

  test('an established sender that is authenticated, with nothing against it', async () => {
    expect(await judge(CLEAN, GIVEN)).toMatchObject({ verdict: 'clean', action: 'deliver', score: 0 });
  });

  test.each<[string, MadeMail, Given]>([
    ['the caller does not vouch for the header (trap 45)', CLEAN, { ...GIVEN, trust: {} }],
    ['DMARC failed to pass', { ...CLEAN, headers: [pass.replace('pass', 'none')] }, GIVEN],
    [
      'DMARC passed for another domain',
      { ...CLEAN, headers: [pass.replace('kunde.example.org', 'other.example.org')] },
      GIVEN,
    ],
    ['the sender is not established', CLEAN, { ...GIVEN, words: {} }],
    [
      'the sender has a free mailbox (trap 46)',
      CLEAN,
      { ...GIVEN, words: { 'kunde.example.org': { ...ESTABLISHED, isFree: true } } },
    ],
    ['no list of popular names is loaded (C17)', CLEAN, { ...GIVEN, words: {}, hasPopularNames: false }],
    ['no threat list is loaded', CLEAN, { ...GIVEN, hasThreatLists: false }],
    [
      'a file is neither known nor a picture',
      { ...CLEAN, parts: [{ type: 'text/csv', content: 'a', filename: 'a.csv' }] },
      GIVEN,
    ],
    [
      'a link is shortened',
      CLEAN,
      { ...GIVEN, words: { 'kunde.example.org': { ...ESTABLISHED, isShortener: true } } },
    ],
    [
      'a limit was reached (trap 47)',
      {
        ...CLEAN,
        headers: [...(CLEAN.headers ?? []), ...Array.from({ length: 1_100 }, (_, at) => `X-${at}: 1`)],
      },
      GIVEN,
    ],
    ['the host of a link cannot be read', { ...CLEAN, html: '<a href="http://intranet/">x</a>' }, GIVEN],
    ['there are two authors', { ...CLEAN, from: 'a@kunde.example.org, b@other.example.org' }, GIVEN],
  ])('%s', async (_, mail, given) => {
    const { verdict, action } = await judge(mail, given);
    expect([verdict, action]).toEqual(['inconclusive', action === 'warn' ? 'warn' : 'deliver']);
  });

  test('known software is as good as a picture', async () => {
    const mail = { ...CLEAN, parts: [{ type: 'a/b', content: 'x', filename: 'a.bin' }] };
    const words = { 'kunde.example.org': ESTABLISHED, 'a.bin': { isKnownGood: true } };
    expect((await judge(mail, { ...GIVEN, words })).verdict).toBe('clean');
  });
});

describe('contract 4.9 rule 5: brands', () => {
  const brand = (from: string, given: Given = {}) =>
    judge({ from }, given).then(({ reasons }) => reasons.map(({ code }) => code));

  test.each([
    'PayPal <x@kunde.example.org>',
    'P\u200ba\u200byPal Service <x@kunde.example.org>',
    'ᴘᴀʏᴘᴀʟ <x@kunde.example.org>',
    'Раypal <x@kunde.example.org>',
  ])('%s shows a brand that its domain does not own', async (from) => {
    expect(await brand(from)).toContain('headers.display_name_brand');
  });

  test.each([
    'PayPal <service@paypal.com>',
    'Amazon.de <x@amazon.de>',
    'Anna Chase <anna@kunde.example.org>',
    'Discover Berlin <x@kunde.example.org>',
    'Orange County Library <x@kunde.example.org>',
  ])('%s shows none, or its own', async (from) => {
    expect(await brand(from)).not.toContain('headers.display_name_brand');
  });

  test('a hit on a name among the most visited is dropped (trap 49)', async () => {
    const imitates = { of: 'paypal.com', technique: 'combosquat', detail: '' } as const;
    const words = { 'kunde.example.org': { ...ESTABLISHED, imitates } };
    expect(await brand('PayPal <x@kunde.example.org>', { words })).toEqual([]);
    expect(
      await brand('PayPal <x@kunde.example.org>', { words: { 'kunde.example.org': { imitates } } }),
    ).toEqual(['sender.brand_lookalike', 'headers.display_name_brand']);
  });

  test('a free mailbox is no exception, however popular its domain', async () => {
    const { action } = await judge(
      { from: 'PayPal Support <x@gmail.com>' },
      { words: { 'gmail.com': { isFree: true, isRanked: true } } },
    );
    expect(action).toBe('review');
  });
});

describe('a link that shows one domain and opens another', () => {
  const linkOf = (shown: string, opened: string): MadeMail => ({
    html: `<a href="https://${opened}/x">https://${shown}/signin</a>`,
  });
  const OWN_COUNTER = 'click.kunde.example.org';
  const POPULAR = { 'paypal.com': ESTABLISHED };
  const TRUSTED = { 'kunde.example.org': ESTABLISHED };
  const actionOf = async (mail: MadeMail, words: NonNullable<Given['words']>) =>
    (await judge(mail, { words })).action;

  test.each<[string, MadeMail, NonNullable<Given['words']>, 'warn' | 'deliver']>([
    [
      'a popular domain, the domain of an unknown sender',
      linkOf('www.paypal.com', OWN_COUNTER),
      POPULAR,
      'warn',
    ],
    ['any domain, the domain of an unknown sender', linkOf('bank.net', OWN_COUNTER), {}, 'warn'],
    [
      'a popular domain, the domain of a sender that is ranked and not established',
      linkOf('www.paypal.com', OWN_COUNTER),
      { ...POPULAR, 'kunde.example.org': { isRanked: true }, [OWN_COUNTER]: { isRanked: true } },
      'warn',
    ],
    [
      'a popular domain, the domain of an established sender that does not own it',
      linkOf('www.paypal.com', OWN_COUNTER),
      { ...POPULAR, ...TRUSTED },
      'warn',
    ],
    [
      'another domain, the counter of an established sender',
      linkOf('bank.net', OWN_COUNTER),
      TRUSTED,
      'deliver',
    ],
    [
      'its own domain, a counter elsewhere, of an established sender',
      linkOf('www.example.org', 'c.net'),
      TRUSTED,
      'deliver',
    ],
    [
      'its own domain, a counter elsewhere, of an unknown sender',
      linkOf('www.example.org', 'c.net'),
      {},
      'warn',
    ],
    ['any domain, a widely used counter', linkOf('bank.net', 'c.net'), { 'c.net': ESTABLISHED }, 'deliver'],
  ])('%s', async (_, mail, words, action) => expect(await actionOf(mail, words)).toBe(action));

  test('a brand may link from one of its domains to another', async () => {
    const mail = { ...linkOf('www.amazon.com', 'click.amazon.de'), from: 'Amazon <x@amazon.de>' };
    const words = { 'amazon.com': ESTABLISHED, 'amazon.de': ESTABLISHED };
    expect(await actionOf(mail, words)).toBe('deliver');
  });
});

test('a name is in ran or in skipped, never in both, and the third level of messages is named', async () => {
  const { coverage } = await judge({
    parts: [{ type: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex') }],
  });
  const skipped = coverage.skipped.map(({ check }) => check);
  expect(coverage.ran.filter((check) => skipped.includes(check))).toEqual([]);
  expect(skipped).toEqual(expect.arrayContaining(['newly_registered_domains', 'qr_codes', 'authentication']));
});

describe('no better verdict by adding something harmless', () => {
  const rank = (action: (typeof MAIL_ACTIONS)[number], verdict: string): number =>
    MAIL_ACTIONS.indexOf(action) * 2 + (verdict === 'clean' ? 1 : 0);
  const MAILS: readonly [MadeMail, Given][] = [
    [LINK, word({})],
    [LINK, word({ level: 'medium', weight: 0.5 })],
    [{ from: 'PayPal <x@kunde.example.org>' }, {}],
    [
      { headers: ['Reply-To: x@other.example.net'] },
      { words: { 'kunde.example.org': { isPlatform: true } } },
    ],
    [{ parts: [{ type: 'a/b', content: makePe(), filename: 'a.pdf' }] }, {}],
    [{ html: '<a href="http://198.51.101.9/">www.bank.com</a>' }, {}],
    [{}, { words: { 'kunde.example.org': ESTABLISHED } }],
  ];
  const header = fc.constantFrom(
    'List-Unsubscribe: <https://kunde.example.org/u>',
    'List-Id: <list.kunde.example.org>',
    'X-Mailer: Thunderbird',
    'Precedence: bulk',
    'In-Reply-To: <1@kunde.example.org>',
    'Auto-Submitted: no',
    'X-Spam-Status: No',
    'Organization: Kunde',
  );
  const part = fc.constantFrom(
    { type: 'text/plain', content: 'Kind regards' },
    { type: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex'), filename: 'logo.png' },
    { type: 'text/calendar', content: 'BEGIN:VCALENDAR', filename: 'a.ics' },
    { type: 'text/html', content: '<a href="https://kunde.example.org/">kunde.example.org</a>' },
  );

  test('a header, above or below', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...MAILS),
        header,
        fc.boolean(),
        async ([mail, given], added, isAbove) => {
          const before = await judge(mail, given);
          const headers = isAbove ? [added, ...(mail.headers ?? [])] : [...(mail.headers ?? []), added];
          const after = await judge({ ...mail, headers }, given);
          expect(rank(after.action, after.verdict)).toBeLessThanOrEqual(rank(before.action, before.verdict));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a part', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...MAILS), part, async ([mail, given], added) => {
        const before = await judge(mail, given);
        const after = await judge(makeMail({ ...mail, parts: [...(mail.parts ?? []), added] }), given);
        expect(rank(after.action, after.verdict)).toBeLessThanOrEqual(rank(before.action, before.verdict));
      }),
      { numRuns: 40 },
    );
  });
});
