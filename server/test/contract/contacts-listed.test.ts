import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HAS_REAL_FILES, realText } from '#capabilities/lists/formats/real-files.fixture.ts';
import { parseCrypto } from '#domain/indicator/index.ts';
import { rowOf, SANCTIONED, sure } from './contact-rows.ts';
import { type ContactsService, SANCTIONED_TRON, startContacts } from './contacts-corpus.ts';

let contacts: ContactsService;
const get: ContactsService['get'] = (...asked) => contacts.get(...asked);
const phone: ContactsService['phone'] = (...asked) => contacts.phone(...asked);
const wallet: ContactsService['wallet'] = (...asked) => contacts.wallet(...asked);

beforeAll(async () => {
  contacts = await startContacts();
});
afterAll(async () => {
  await contacts?.close();
});

describe('GET /api/check/phone (decisions 3.3)', () => {
  test('a listed number is found in every notation, and one source of 70 or more is enough', async () => {
    for (const [number, more, by] of [
      ['+18005550199', '', 'e164'],
      ['1 (800) 555-0199', '', 'nanp'],
      ['800.555.0199', '&country=us', 'country'],
      ['001 800 555 0199', '', 'e164'],
    ] as const) {
      const { status, body } = await phone(number, more);
      expect(status, number).toBe(200);
      expect(body, number).toMatchObject({
        phone: '+18005550199',
        input: number,
        countryCallingCode: '1',
        resolvedWith: by,
        lineType: 'toll_free',
        lookupStatus: 'found',
        verdict: 'malicious',
        malicious: true,
        recommendedAction: 'block',
        blocklistHits: 1,
        categories: ['scam'],
        sources: [{ id: 'good-list', confidence: 80, threatClass: 'threat', fpRisk: 'low' }],
        riskScore: { score: 80, level: 'high' },
        factors: [{ name: 'good-list', score: 80, contribution: 80 }],
        evidence: { verdict: 'high', recommendedAction: 'block' },
        apiVersion: 'v2',
      });
    }
  });

  test('two sources below 60 do not confirm each other: 55, medium, and the parts add up', async () => {
    const { body } = await phone('020 7946 0958', '&country=GB');
    expect(body).toMatchObject({
      phone: '+442079460958',
      countryCode: 'GB',
      verdict: 'suspicious',
      malicious: false,
      recommendedAction: 'review',
      blocklistHits: 2,
      categories: ['scam', 'spam'],
      riskScore: { score: 55, level: 'medium' },
    });
    const factors = body.factors as { contribution: number }[];
    expect(factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(55);
  });

  test('an unlisted number is unknown, never clean', async () => {
    expect((await phone('+41446681800')).body).toMatchObject({
      lookupStatus: 'unknown',
      verdict: 'unknown',
      malicious: false,
      recommendedAction: 'unverified',
      blocklistHits: 0,
      riskScore: { score: 0, level: 'inconclusive', summary: expect.stringContaining('no proof') },
      evidence: { verdict: 'unknown', recommendedAction: 'unverified' },
    });
  });

  test('a national number without a country is 200, unknown, with the reason', async () => {
    const { status, body } = await phone('044 668 18 00');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      phone: null,
      countryCode: null,
      resolvedWith: null,
      verdict: 'unknown',
      riskScore: { level: 'inconclusive', summary: expect.stringContaining('country') },
    });
  });

  test('an unencoded plus sign is kept', async () => {
    expect((await get('/api/check/phone?phone=+18005550199')).body).toMatchObject({
      phone: '+18005550199',
      resolvedWith: 'e164',
    });
  });

  test('a number outside every assigned range is reported as made up', async () => {
    const { body } = await phone('+1 555 555 5555');
    expect((body.evidence as { reasons: string[] }).reasons.join(' ')).toContain('made up');
  });

  test.each([
    '1-800-FLOWERS',
    'abc',
    '',
    '12',
    '+999 1234567',
    '12345678&country=XX',
    '12345678&country=Switzerland',
  ])('%s is refused and costs the burst only', async (number) => {
    contacts.rig.calls.length = 0;
    const { status } = await get(`/api/check/phone?phone=${number.replace('+', '%2B')}`);
    expect(status).toBe(400);
    expect(contacts.rig.calls).toContain('admit 0');
  });

  test('the refusal of an unknown country names the country, not the number', async () => {
    const { body } = await get('/api/check/phone?phone=12345678&country=XX');
    expect(body.details).toMatchObject([{ path: 'country' }]);
  });

  test('the route exists on the web host only', async () => {
    expect((await get('/check/phone?phone=%2B18005550199')).status).toBe(404);
    expect((await get(`/check/crypto?address=${SANCTIONED}`)).status).toBe(404);
  });
});

describe('GET /api/check/crypto (decisions 3.3)', () => {
  test('a wallet that a list names is found under every spelling, with its list', async () => {
    for (const address of [SANCTIONED, SANCTIONED.toLowerCase(), `ethereum:${SANCTIONED}@1`]) {
      const { status, body } = await wallet(address);
      expect(status).toBe(200);
      expect(body).toEqual({
        address: SANCTIONED.toLowerCase(),
        chain: 'ethereum',
        valid: true,
        verdict: 'malicious',
        malicious: true,
        recommendedAction: 'block',
        riskScore: {
          score: 80,
          level: 'high',
          word: 'Malicious',
          summary: expect.stringContaining('1 list'),
        },
        localBlacklistHit: true,
        sources: [expect.objectContaining({ id: 'good-list', confidence: 80 })],
        categories: ['scam'],
        factors: [expect.objectContaining({ name: 'good-list', contribution: 80 })],
        apiVersion: 'v2',
      });
    }
  });

  test('wallets of other chains and in capitals are found too', async () => {
    for (const [address, chain] of [
      [SANCTIONED_TRON, 'tron'],
      ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin'],
    ] as const)
      expect((await wallet(address)).body).toMatchObject({
        chain,
        localBlacklistHit: true,
        riskScore: { level: 'critical' },
        sources: [{ id: 'wallets', tags: ['sanctioned'] }],
      });
  });

  test.skipIf(!HAS_REAL_FILES)(
    'every wallet of the real list of sanctions is found, on any chain',
    async () => {
      const texts = ['XBT', 'ETH', 'XMR', 'LTC', 'USDT', 'TRX', 'ZEC', 'DASH'].flatMap((coin) =>
        realText(`feeds/ofac-crypto/sanctioned_addresses_${coin}.txt`).trim().split('\n'),
      );
      // All lines but one are wallets: one is a digest that its publisher lists as an address.
      const wallets = texts.filter((text) => parseCrypto(text).ok);
      expect(texts.length - wallets.length).toBe(1);
      await contacts.rig.list('sanctions', [...new Set(wallets)].map(rowOf), sure(95));
      const chains = new Set<unknown>();
      for (const address of wallets) {
        const { body } = await wallet(address);
        expect(body, address).toMatchObject({ localBlacklistHit: true, riskScore: { level: 'critical' } });
        chains.add(body.chain);
      }
      expect(chains.size).toBeGreaterThanOrEqual(7);
    },
    60_000,
  );

  test('an unlisted wallet is inconclusive, never safe', async () => {
    expect((await wallet('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).body).toMatchObject({
      chain: 'bitcoin',
      valid: true,
      localBlacklistHit: false,
      sources: [],
      factors: [],
      riskScore: { score: 0, level: 'inconclusive' },
    });
  });

  test('a wallet that was removed from its list is no longer listed', async () => {
    await contacts.rig.list('short-lived', [rowOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')], sure(90));
    expect((await wallet('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).body.localBlacklistHit).toBe(true);
    await contacts.rig.list('short-lived', [], sure(90));
    expect((await wallet('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).body.localBlacklistHit).toBe(false);
  });

  test.each([
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    '0x01e2919679362dFBC9ee1644Ba9C6da6D6245Bb1',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'hello',
    '',
  ])('%s is refused with advice and costs the burst only', async (address) => {
    contacts.rig.calls.length = 0;
    const { status, body } = await wallet(address);
    expect(status).toBe(400);
    expect(body.message).toMatch(/copy it again|send it as/);
    expect(contacts.rig.calls).toContain('admit 0');
  });
});
