import { describe, expect, test } from 'vitest';
import { domainOf, judgeClaims, proofRecord, readEmailDomain, showsProof } from './index.ts';

const EXPECTED = { emailDomain: 'corp.example', issuer: 'https://idp.corp.example' };
const CLAIMS = { sub: 's1', email: 'Ada@Corp.Example', email_verified: true };

describe('what a provider says about a person', () => {
  test('an identity has a subject and a verified address of the domain, in its stored spelling', () => {
    expect(judgeClaims(CLAIMS, EXPECTED)).toEqual({
      subject: 's1',
      email: 'ada@corp.example',
      authenticatedAtMs: null,
      hasSecondFactor: false,
    });
  });

  test('the time of the sign-in and its factors are taken where the provider says them', () => {
    const judged = judgeClaims({ ...CLAIMS, auth_time: 1_700_000_000, amr: ['pwd', 'otp'] }, EXPECTED);
    expect(judged).toMatchObject({ authenticatedAtMs: 1_700_000_000_000, hasSecondFactor: true });
    expect(judgeClaims({ ...CLAIMS, auth_time: 'now', amr: 'mfa' }, EXPECTED)).toMatchObject({
      authenticatedAtMs: null,
      hasSecondFactor: false,
    });
  });

  test('verified is the claim itself, its text, or the claim of Entra from Entra alone', () => {
    const entra = { ...EXPECTED, issuer: 'https://login.microsoftonline.com/t/v2.0' };
    const { email_verified: _gone, ...unsaid } = CLAIMS;
    const judge = (claims: object, expected = EXPECTED) =>
      typeof judgeClaims({ ...unsaid, ...claims }, expected);
    expect(judge({ email_verified: 'true' })).toBe('object');
    expect(judge({ xms_edov: true }, entra)).toBe('object');
    for (const claims of [{}, { email_verified: 1 }, { email_verified: 'yes' }, { xms_edov: true }])
      expect(judge(claims)).toBe('string');
    // An address that Entra calls unverified is refused, although Entra's own claim speaks for it.
    expect(judge({ email_verified: false, xms_edov: true }, entra)).toBe('string');
  });

  test.each([
    ['no subject', { sub: '' }],
    ['a subject that is no text', { sub: 7 }],
    ['no address', { email: null }],
    ['another domain', { email: 'ada@corp.example.evil' }],
    ['a subdomain', { email: 'ada@mail.corp.example' }],
    ['two signs', { email: 'ada@evil@corp.example' }],
    ['an invisible character', { email: 'ada\u200b@corp.example' }],
  ])('refused: %s', (_name, claims) => {
    expect(typeof judgeClaims({ ...CLAIMS, ...claims }, EXPECTED)).toBe('string');
  });
});

describe('domains and their proof', () => {
  test('a domain of mailboxes is a registrable name or one below it', () => {
    expect(['Example.COM ', 'mail.example.co.uk', 'me.github.io'].map(readEmailDomain)).toEqual([
      'example.com',
      'mail.example.co.uk',
      'me.github.io',
    ]);
    for (const text of ['com', 'co.uk', 'github.io', '10.0.0.1', 'a_b.com', '-a.com', 'a..com', '', 'é.com'])
      expect(readEmailDomain(text)).toBeNull();
    expect(domainOf('a@B.Example')).toBe('b.example');
  });

  test('the record is whole: a part of it, another token or a longer text prove nothing', () => {
    const { name, value } = proofRecord('corp.example', 'token');
    expect([name, value]).toEqual(['_assay-sso.corp.example', 'assay-sso=token']);
    expect(showsProof(['v=spf1 -all', ` ${value} `], 'token')).toBe(true);
    for (const text of ['assay-sso=', 'token', 'assay-sso=tokens', 'x assay-sso=token'])
      expect(showsProof([text], 'token')).toBe(false);
  });
});
