import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCrypto } from '#domain/indicator/index.ts';
import { type ContactsRig, openContactsRig } from '#test/contacts-rig.ts';
import { ANALYZE_NETWORK_ROWS } from './analyze-table.ts';
import { ANALYZE_CONTACT_ROWS } from './analyze-table-contacts.ts';

const NOW = Date.UTC(2026, 7, 22, 12);
const ROWS = [...ANALYZE_NETWORK_ROWS, ...ANALYZE_CONTACT_ROWS];
const WALLET = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
let rig: ContactsRig;

beforeAll(async () => {
  // No name server, because these tests need no DNS answer.
  rig = await openContactsRig(NOW, '127.0.0.1:1');
  const sure = { reliability: 0.9, fpRisk: 'low', category: 'scam' } as const;
  const parsed = parseCrypto(WALLET);
  if (!parsed.ok) throw new Error(parsed.reason);
  await rig.list(
    'everything',
    ['evil.com', '45.83.64.1', 'http://evil.com/x', 'ab'.repeat(32), 'bad@evil.com'],
    sure,
  );
  await rig.list(
    'contacts',
    [{ indicator: parsed.indicator }, { indicator: { kind: 'phone', value: '+18005550199' } }],
    sure,
  );
});
afterAll(async () => {
  await rig?.close();
});

type Body = Record<string, unknown> & { message?: string };
async function analyze(body: unknown): Promise<{ status: number; body: Body }> {
  const answer = await rig.quietApp.inject({ method: 'POST', url: '/api/analyze', payload: body as object });
  return { status: answer.statusCode, body: answer.json() };
}

describe('the detected type of a text (decisions 3.1)', () => {
  test('the table has 200 rows or more, each text once', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(200);
    expect(new Set(ROWS.map(([input]) => input)).size).toBe(ROWS.length);
  });

  test.each(
    ROWS.map(([input, type, normalized, why = '']) => ({
      shown: JSON.stringify(input).slice(0, 80),
      input,
      type: type ?? 'refused',
      normalized,
      why,
    })),
  )('$shown: $type $why', async ({ input, type, normalized }) => {
    const { status, body } = await analyze({ input });
    if (type === 'refused') {
      expect(status, JSON.stringify(body)).toBe(400);
      expect(body.message?.length).toBeGreaterThan(20);
      return;
    }
    expect(status, body.message).toBe(200);
    expect(body).toMatchObject({ detectedType: type, input: input.trim(), normalized });
    expect(body.riskScore).toMatchObject({ score: expect.any(Number), level: expect.any(String) });
    // An unlisted indicator is unknown, so the answer must not call it safe.
    if (type === 'phone' || type === 'crypto' || type === 'email')
      expect((body.riskScore as { level: string }).level).not.toBe('safe');
  });
});

describe('POST /api/analyze (contract 4.2, decisions 3.3)', () => {
  test.each([
    ['evil.com', 'domain'],
    ['45.83.64.1', 'ip'],
    ['http://evil.com/x', 'url'],
    ['ab'.repeat(32), 'hash'],
  ])('%s carries the answer of its check and the lists that name it', async (input, detectedType) => {
    const { body } = await analyze({ input });
    expect(body).toMatchObject({
      detectedType,
      query: input,
      blocklistListed: true,
      apiVersion: 'v2',
      enrichmentLevel: 'standard',
    });
    expect(body.sources).toMatchObject([{ id: 'everything' }]);
  });

  test('an address, a number and a wallet carry the answers of their checks', async () => {
    expect((await analyze({ input: 'bad@evil.com' })).body).toMatchObject({
      verdict: 'malicious',
      listings: { listed: true, sources: ['everything'] },
      email: { address: 'bad@evil.com' },
    });
    expect((await analyze({ input: '1 800 555 0199' })).body).toMatchObject({
      phone: '+18005550199',
      blocklistHits: 1,
      verdict: 'malicious',
    });
    expect((await analyze({ input: WALLET })).body).toMatchObject({
      chain: 'bitcoin',
      localBlacklistHit: true,
      address: WALLET,
    });
  });

  test('query is an alias of input, and input takes precedence', async () => {
    expect((await analyze({ query: 'evil.com' })).body.normalized).toBe('evil.com');
    expect((await analyze({ query: 'evil.com', input: '45.83.64.1' })).body.normalized).toBe('45.83.64.1');
  });

  test('a type that contradicts the content is refused and named in the error; a matching type is accepted in either spelling', async () => {
    const { status, body } = await analyze({ input: '45.83.64.1', input_type: 'domain' });
    expect(status).toBe(400);
    expect(body.message).toMatch(/type ip, not domain/);
    for (const more of [{ input_type: 'ip' }, { inputType: 'ip' }])
      expect((await analyze({ input: '45.83.64.1', ...more })).status).toBe(200);
    expect((await analyze({ input: '45.83.64.1', input_type: 'planet' })).status).toBe(400);
  });

  test('a wallet with a wrong checksum is refused for its checksum, also when the type is given', async () => {
    for (const more of [{}, { input_type: 'crypto' }]) {
      const { status, body } = await analyze({ input: `${WALLET.slice(0, -1)}b`, ...more });
      expect(status).toBe(400);
      expect(body.message).toContain('checksum');
    }
  });

  test.each([{}, { input: 7 }, { input: null }, [], { input: 'x'.repeat(2_049) }])(
    '%j is refused',
    async (body) => {
      expect((await analyze(body)).status).toBe(400);
    },
  );

  test('it costs one check, and nothing when it is refused', async () => {
    const spent = async (payload: object) => {
      rig.calls.length = 0;
      await rig.app.inject({ method: 'POST', url: '/api/analyze', payload });
      return rig.calls.filter((call) => call.startsWith('admit'));
    };
    expect(await spent({ input: 'evil.com' })).toEqual(['admit 1']);
    expect(await spent({ input: 'hello' })).toEqual(['admit 0']);
  });

  test('the route exists on the web host only', async () => {
    expect(
      (await rig.app.inject({ method: 'POST', url: '/analyze', payload: { input: 'evil.com' } })).statusCode,
    ).toBe(404);
  });
});
