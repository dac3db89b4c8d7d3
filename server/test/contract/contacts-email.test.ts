import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sure } from './contact-rows.ts';
import { type ContactsService, startContacts } from './contacts-corpus.ts';

let contacts: ContactsService;
const get: ContactsService['get'] = (...asked) => contacts.get(...asked);
const email: ContactsService['email'] = (...asked) => contacts.email(...asked);
const report: ContactsService['report'] = (...asked) => contacts.report(...asked);

beforeAll(async () => {
  contacts = await startContacts();
});
afterAll(async () => {
  await contacts?.close();
});

describe('GET /check/email (contract 4.2)', () => {
  test('an unlisted address of a domain with good mail settings has every field and is never called safe', async () => {
    const { status, body } = await email('Jane.Doe@Strict-Mail.com');
    expect(status).toBe(200);
    expect(body).toEqual({
      email: 'jane.doe@strict-mail.com',
      domain: 'strict-mail.com',
      localPart: 'jane.doe',
      riskScore: {
        score: 0,
        level: 'inconclusive',
        word: 'Not listed',
        summary: expect.stringContaining('no proof'),
        factors: [
          expect.objectContaining({ name: 'Address listings', weight: 0.4, score: 0, contribution: 0 }),
          expect.objectContaining({ name: 'Domain reputation', weight: 0.3, contribution: 0 }),
          expect.objectContaining({ name: 'Disposable domain', weight: 0.15, contribution: 0 }),
          expect.objectContaining({ name: 'Mail posture', weight: 0.15, contribution: 0 }),
        ],
      },
      listings: { listed: false, count: 0, sources: [] },
      domainReputation: { threatLevel: null, sources: 0, disposable: false },
      validation: { syntaxValid: true, mxValid: true },
      mailSecurity: { hasSPF: true, hasDMARC: true, hasDKIM: true, grade: 'A' },
      apiVersion: 'v1',
      enrichmentLevel: 'standard',
    });
  });

  test('a listed address names its lists, and one source of 70 or more is enough', async () => {
    const { body } = await email('bad@strict-mail.com');
    expect(body).toMatchObject({
      riskScore: { score: 80, level: 'high' },
      listings: { listed: true, count: 1, sources: ['good-list'] },
      domainReputation: { threatLevel: null, sources: 0 },
    });
  });

  test('one source below 70 gives score 50, medium', async () => {
    expect((await email('maybe@strict-mail.com')).body).toMatchObject({
      riskScore: { score: 50, level: 'medium' },
    });
  });

  test('a malicious domain makes its addresses malicious; a listed domain above it, on one list alone, does not', async () => {
    const below = (await email('x@mail.evil-sender.com')).body;
    expect(below.domainReputation).toMatchObject({ sources: 1, threatLevel: 'low' });
    for (const address of ['anybody@evil-sender.com']) {
      const { body } = await email(address);
      const { score, level } = body.riskScore as { score: number; level: string };
      expect(score, address).toBeGreaterThanOrEqual(75);
      expect(['high', 'critical']).toContain(level);
      expect(body.domainReputation).toMatchObject({ sources: 1, disposable: false });
      expect((body.domainReputation as { threatLevel: string }).threatLevel).toMatch(/high|critical/);
    }
  });

  test('a list that names a large free provider does not make every mailbox there malicious', async () => {
    await contacts.rig.list('mistaken', ['gmail.com'], {
      ...sure(95),
      category: 'phishing',
      signal: 'scanner',
    });
    const { body } = await email('somebody@gmail.com', '&enrichment=fast');
    expect(body.riskScore).toMatchObject({ score: 0, level: 'inconclusive' });
    expect(body.domainReputation).toMatchObject({ sources: 1 });
    await contacts.rig.list('mistaken', [], {});
  });

  test('a disposable domain is recognized from the lists, and the largest ones without any list', async () => {
    for (const address of ['a@pop-up-mail.com', 'a@sub.pop-up-mail.com', 'a@mailinator.com'])
      expect((await email(address)).body.domainReputation, address).toMatchObject({ disposable: true });
  });

  test('a null MX and a domain that does not exist cannot receive mail: false, not null', async () => {
    expect((await email('a@no-mail.com')).body.validation).toEqual({ syntaxValid: true, mxValid: false });
    const { body } = await email('a@there-is-no-such-name.com');
    expect(body.validation).toEqual({ syntaxValid: true, mxValid: false });
    expect(body.mailSecurity).toEqual({ hasSPF: false, hasDMARC: false, hasDKIM: null, grade: 'F' });
  });

  test('without a name server and a registry every live field is null, never false, and the posture is left out of the score', async () => {
    const { body } = await get('/check/email?email=jane@strict-mail.com', contacts.rig.quietApp);
    expect(body.validation).toEqual({ syntaxValid: true, mxValid: null });
    expect(body.mailSecurity).toEqual({ hasSPF: null, hasDMARC: null, hasDKIM: null, grade: null });
    expect((body.riskScore as { factors: unknown[] }).factors).toHaveLength(3);
  });

  test('fast makes no live lookup, and every level is echoed', async () => {
    const { body } = await email('new-one@no-mail.com', '&enrichment=fast');
    expect(body).toMatchObject({ enrichmentLevel: 'fast', validation: { mxValid: null } });
    for (const level of ['basic', 'standard', 'full'])
      expect((await email('a@strict-mail.com', `&enrichment=${level}`)).body.enrichmentLevel).toBe(level);
  });

  test('an unencoded plus sign is kept, and defanged forms are understood', async () => {
    expect((await get('/check/email?email=bad+news@strict-mail.com')).body.email).toBe(
      'bad+news@strict-mail.com',
    );
    expect((await email('bad[@]strict-mail[.]com')).body.email).toBe('bad@strict-mail.com');
  });

  test.each([
    ['', 400],
    ['not-an-address', 400],
    ['a@', 400],
    ['a@nowhere.invalid', 400],
    ['example.com', 400],
    [`${'x'.repeat(65)}@example.com`, 400],
    ['a@strict-mail.com&enrichment=deep', 400],
  ])('%s is refused with advice and costs the burst only', async (address, expected) => {
    contacts.rig.calls.length = 0;
    const { status, body } = await get(`/check/email?email=${address}`);
    expect(status).toBe(expected);
    expect(body.message?.length).toBeGreaterThan(10);
    expect(contacts.rig.calls).toContain('admit 0');
  });

  test.each(['email=', 'email=abc', 'email=5.5.5.5', ''])(
    'the refusal of %s explains the form of an address, not of a domain',
    async (query) => {
      for (const host of ['', '/api'])
        expect((await get(`${host}/check/email?${query}`)).body.message).toMatch(/name@example\.com/);
    },
  );

  test('an answer costs one check', async () => {
    contacts.rig.calls.length = 0;
    await email('jane@strict-mail.com');
    expect(contacts.rig.calls).toContain('admit 1');
  });
});

describe('GET /api/check/email (decisions 3.3, web extended)', () => {
  test('an unlisted address that accepts no mail has points for it and the verdict of any unlisted address', async () => {
    const { body } = await report('a@no-mail.com');
    expect(body).toMatchObject({
      verdict: 'unknown',
      recommendedAction: 'unverified',
      riskScore: { score: 9, level: 'inconclusive', word: 'Not listed' },
      evidence: { verdict: 'unknown', recommendedAction: 'unverified' },
    });
    expect((body.reasons as string[]).join(' ')).toMatch(/cannot receive mail/);
  });

  test('the answer has the base fields and every field that the web host adds', async () => {
    const [{ body: base }, { body }] = [
      await email('bad+x@strict-mail.com'),
      await report('bad+x@strict-mail.com'),
    ];
    const { email: _address, apiVersion: _version, ...shared } = base;
    expect(body).toMatchObject(shared);
    expect(body).toMatchObject({
      apiVersion: 'v2',
      verdict: 'unknown',
      malicious: false,
      recommendedAction: 'unverified',
      lookupStatus: 'unknown',
      email: {
        address: 'bad+x@strict-mail.com',
        localPart: 'bad+x',
        domain: 'strict-mail.com',
        disposable: false,
        freeProvider: false,
        roleAccount: false,
        subaddress: 'x',
        mx: true,
        domainReputation: { lookupStatus: 'unknown', malicious: false, blocklistHits: 0, sources: [] },
      },
      lookalike: null,
      domainAge: { createdDate: '1999-06-11T04:00:00.000Z', days: 9_934 },
      breaches: null,
      dns: { mx: ['mx1.strict-mail.com'], spf: 'v=spf1 mx -all', dmarcPolicy: 'reject' },
      dataTrust: { completeness: { present: ['sources', 'whois', 'dns'] } },
      evidence: { verdict: 'unknown', recommendedAction: 'unverified' },
    });
  });

  test('a listed address: verdict, action, reasons and evidence agree', async () => {
    const { body } = await report('bad@strict-mail.com');
    expect(body).toMatchObject({
      verdict: 'malicious',
      malicious: true,
      recommendedAction: 'block',
      lookupStatus: 'found',
      riskScore: { score: 80, level: 'high' },
      evidence: { verdict: 'high', score: 80, recommendedAction: 'block' },
    });
    expect((body.reasons as string[])[0]).toContain('good-list');
  });

  test('a domain that imitates a well-known one and is ten days old is reported as both', async () => {
    const { body } = await report('help@paypa1-support.com');
    expect(body.lookalike).toMatchObject({ brand: 'paypal.com' });
    expect(body.domainAge).toMatchObject({ days: 10 });
    expect((body.reasons as string[]).join(' ')).toMatch(/paypal\.com.*10 days ago/);
    expect(body.email).toMatchObject({ roleAccount: true });
  });

  test('free providers are recognized from the lists, and the largest ones without any list', async () => {
    for (const [address, expected] of [
      ['a@free-boxes.com', true],
      ['a@corp.free-boxes.com', false],
      ['a@gmail.com', true],
    ] as const)
      expect((await report(address)).body.email, address).toMatchObject({ freeProvider: expected });
  });

  test('without a name server and a registry live fields are null and named as missing', async () => {
    const { body } = await get('/api/check/email?email=jane@strict-mail.com', contacts.rig.quietApp);
    expect(body).toMatchObject({ dns: null, domainAge: null, email: { mx: null } });
    const { completeness } = body.dataTrust as { completeness: { missing: string[] } };
    expect(completeness.missing).toEqual(expect.arrayContaining(['dns', 'whois']));
  });
});
