import { describe, expect, test } from 'vitest';
import { checkDeps, indicatorOf } from '#test/check-deps.ts';
import { createCheck } from './check-indicator.ts';
import { CheckResult } from './contract.ts';
import { CheckEvent } from './contract-stream.ts';

const { check, stream } = createCheck(checkDeps({}));

async function answered(text: string) {
  const result = await check({ indicator: indicatorOf(text), enrichment: 'standard', asOfMs: null });
  return CheckResult.parse(JSON.parse(JSON.stringify(result)));
}

describe('a check of a known thing', () => {
  test('names the service and its operator, on every level', async () => {
    expect(await answered('8.8.8.8')).toMatchObject({
      service: { name: 'Google Public DNS', operator: 'Google', kind: 'resolver' },
      riskScore: { level: 'safe', word: 'Common service: Google Public DNS' },
      evidence: { recommendedAction: 'allow' },
    });
    const basic = await check({ indicator: indicatorOf('8.8.8.8'), enrichment: 'basic', asOfMs: null });
    expect(basic.service?.name).toBe('Google Public DNS');
  });

  test('streams it in the first phase', async () => {
    const events: CheckEvent[] = [];
    const emit = (event: CheckEvent) => {
      events.push(CheckEvent.parse(JSON.parse(JSON.stringify(event))));
      return true;
    };
    await stream(indicatorOf('smtp.gmail.com'))({ signal: new AbortController().signal, emit });
    expect(events[0]?.data).toMatchObject({ service: { name: 'Gmail', kind: 'mail' } });
  });

  test('two names of different services that no list holds have verdicts of their own', async () => {
    const words = await Promise.all(
      ['1.1.1.1', '9.9.9.9'].map(async (text) => (await answered(text)).riskScore?.word),
    );
    expect(words).toEqual(['Common service: Cloudflare 1.1.1.1', 'Common service: Quad9']);
  });

  test('calls a reserved name that, and looks nothing up for it', async () => {
    expect(await answered('example.com')).toMatchObject({
      riskScore: { level: 'safe', word: 'Reserved name' },
    });
  });
});

describe('a URL whose user name poses as a domain', () => {
  test.each([
    'https://paypal.com@evil.com/',
    'https://www.paypal.com@evil.com/login',
    'https://paypal.com%2Fsignin@evil.com/login',
    'hxxps://paypal[.]com@evil[.]com/',
    'https://paypal.com:443@45.155.205.233/x',
  ])('%s: a reason says which host it opens', async (text) => {
    const { evidence, query } = await answered(text);
    expect(query).not.toContain('paypal');
    expect(evidence?.reasons.join(' ')).toContain('The text before the @ (paypal.com) is only a user name');
  });

  test('an honest user name, the own domain and a plain URL get no such reason, before and after', async () => {
    for (const text of [
      'https://evil.com/',
      'https://anna@evil.com/',
      'https://www.evil.com@evil.com/',
      'https://evil.com/@paypal.com',
    ])
      expect((await answered(text)).evidence?.reasons.join(' '), text).not.toContain('user name');
  });
});

describe('an address that carries an IPv4 address', () => {
  test.each([
    ['64:ff9b::45.155.205.233', 'NAT64'],
    ['2002:2d9b:cde9::1', '6to4'],
    ['2001:0:4136:e378:8000:63bf:d264:3216', 'Teredo'],
    ['http://[64:ff9b::2d9b:cde9]/', 'NAT64'],
  ])('%s has the verdict of the address inside, and a reason says so', async (text, carrier) => {
    const inner = await answered('45.155.205.233');
    const outer = await answered(text);
    expect(outer.query).toBe('45.155.205.233');
    expect(outer.riskScore?.score).toBe(inner.riskScore?.score);
    expect(outer.blocklistHits).toBe(1);
    expect(outer.evidence?.reasons.join(' ')).toContain(`carries an IPv4 address (${carrier})`);
    expect(inner.evidence?.reasons.join(' ')).not.toContain('carries');
  });
});

describe('a domain that resembles another', () => {
  test('is described, and the reason says whom it resembles', async () => {
    const result = await answered('paypa1-login.com');
    expect(result.lookalike).toEqual({
      of: 'paypal.com',
      technique: 'combosquat',
      detail: 'Its name joined to other words.',
    });
    expect(result.evidence?.reasons).toContain('It resembles paypal.com. Its name joined to other words.');
    expect(result.riskScore?.score).toBe(0);
  });

  test('is not described where the name is known itself', async () => {
    expect((await answered('login.live.com')).lookalike).toBeUndefined();
    expect((await answered('paypal.com')).lookalike).toBeUndefined();
  });
});
