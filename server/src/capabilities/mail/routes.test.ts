import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import { eventually } from '#test/eventually.ts';
import { capturedLog, listen, rawConnection, recordedGates, testApp } from '#test/http-app.ts';
import { makeMail } from '#test/mail/made-mail.ts';
import { type MailRig, openMailRig } from '#test/mail/mail-rig.ts';
import { testCaller } from '#test/meter.ts';
import { type MeteredApp, startMeteredApp } from '#test/metered-app.ts';
import type { ScanResult } from './contract-result.ts';
import { mailRoutes } from './routes.ts';

let rig: MailRig;
let metered: MeteredApp;
const PROGRAM = Buffer.from('a file that a list of samples knows');
const C2 = { category: 'c2', reliability: 0.9, fpRisk: 'low', threatClass: 'threat' } as const;

beforeAll(async () => {
  rig = await openMailRig();
  await rig.list('sure', ['http://listed.malware-host.net/x', 'evil-sender.net'], C2);
  await rig.list('doubtful', ['http://doubtful.malware-host.org/x'], { ...C2, reliability: 0.89 });
  await rig.list('samples', [createHash('sha256').update(PROGRAM).digest('hex')], {
    ...C2,
    category: 'malware',
  });
  await rig.list('popular', ['established.com', 'gmail.com', 'paypal.com'], {
    threatClass: 'allowlist',
    guard: 'popularity',
    rankMax: 100_000,
  });
  metered = await startMeteredApp(mailRoutes(rig.depsWith(rig.threadsOf())));
});
beforeEach(() => metered.nextCaller());
afterAll(async () => {
  await metered?.close();
  await rig?.close();
});

const post = (payload: object | string) =>
  metered.app.inject({
    method: 'POST',
    url: '/mail/scan',
    headers: { 'content-type': 'application/json' },
    payload,
  });
const scan = async (mail: Buffer, context: object = {}) => {
  const answer = await post({ emlBase64: mail.toString('base64'), context });
  expect(answer.statusCode, answer.body).toBe(200);
  return { result: answer.json<ScanResult>(), headers: answer.headers };
};
const LINK = makeMail({ html: '<a href="http://listed.malware-host.net/x">x</a>' });

describe('200', () => {
  test('a listed link of weight 0.90 makes it malicious, and 0.89 does not (trap 44)', async () => {
    const { result, headers } = await scan(LINK);
    expect(result).toMatchObject({
      verdict: 'malicious',
      recommendedAction: 'quarantine',
      links: [{ host: 'listed.malware-host.net', verdict: 'malicious', sources: 1 }],
      connectingIp: null,
      coverage: { truncated: false },
    });
    expect(result.reasons[0]).toMatchObject({ code: 'link.listed', severity: 'high' });
    expect(headers).toMatchObject({ 'x-scan-usage': '1' });
    expect(headers['x-monthly-usage']).toBeUndefined();
    const doubtful = await scan(makeMail({ html: '<a href="http://doubtful.malware-host.org/x">x</a>' }));
    expect(doubtful.result.verdict).toBe('suspicious');
  });

  test('a listed file and a listed sender do so too', async () => {
    const file = await scan(makeMail({ parts: [{ type: 'a/b', content: PROGRAM, filename: 'a.bin' }] }));
    expect(file.result).toMatchObject({ verdict: 'malicious', attachments: [{ verdict: 'malicious' }] });
    const sender = await scan(makeMail({ from: 'x@evil-sender.net' }));
    expect(sender.result).toMatchObject({ verdict: 'malicious', sender: { verdict: 'malicious' } });
  });

  test('an established sender that is authenticated is clean, and a free mailbox is not (trap 46)', async () => {
    const of = (from: string) =>
      makeMail({
        from,
        headers: [
          `Authentication-Results: mx.firma.com; dmarc=pass header.from=${from.split('@')[1]}`,
          'Received: from a ([198.51.101.7]) by mx.firma.com',
        ],
      });
    const context = { authservId: 'mx.firma.com' };
    expect((await scan(of('x@established.com'), context)).result.verdict).toBe('clean');
    expect((await scan(of('x@gmail.com'), context)).result).toMatchObject({
      verdict: 'inconclusive',
      sender: { freeProvider: true },
    });
    expect((await scan(of('x@established.com'))).result.verdict).toBe('inconclusive');
  });

  test('a link that shows www.paypal.com and opens the domain of its unknown sender is not delivered', async () => {
    const { result } = await scan(
      makeMail({
        from: 'Care Team <care@secure-notice.net>',
        headers: [
          'Authentication-Results: mx.firma.com; dmarc=pass header.from=secure-notice.net',
          'Received: from a ([198.51.101.7]) by mx.firma.com',
        ],
        html: '<a href="https://secure-notice.net/x">https://www.paypal.com/signin</a>',
      }),
      { authservId: 'mx.firma.com' },
    );
    expect(result).toMatchObject({ verdict: 'suspicious', recommendedAction: 'warn' });
    expect(result.reasons[0]).toMatchObject({ code: 'link.anchor_mismatch', severity: 'medium' });
  });

  test('the text form and the structured form answer alike', async () => {
    const text = await post({ eml: LINK.toString('latin1') });
    const structured = await post({
      message: {
        from: 'Anna <anna@kunde.example.org>',
        html: '<a href="http://listed.malware-host.net/x">x</a>',
      },
    });
    for (const answer of [text, structured]) expect(answer.json()).toMatchObject({ verdict: 'malicious' });
  });

  test('both addresses of the route answer', async () => {
    const answer = await metered.app.inject({
      method: 'POST',
      url: '/api/mail/scan',
      payload: { eml: 'Subject: x\r\n\r\nx' },
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('400', () => {
  test.each<[string, object | string]>([
    ['no input', {}],
    ['two inputs (trap 52)', { eml: 'Subject: x\r\n\r\nx', message: { subject: 'x' } }],
    ['an empty input (trap 52)', { eml: '' }],
    ['no e-mail message', { eml: 'hello' }],
    ['invalid base64', { emlBase64: '%%%%' }],
    ['an empty structured message', { message: {} }],
    ['hops outside 1 to 10', { eml: 'Subject: x\r\n\r\nx', context: { trustedHops: 11 } }],
    ['a context of the wrong type', { eml: 'Subject: x\r\n\r\nx', context: { authservId: 5 } }],
    ['text that is no JSON', '{"eml": secret-word'],
  ])('%s costs nothing (trap 42)', async (_, payload) => {
    const answer = await post(payload);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.body).not.toContain('secret-word');
    expect((await scan(LINK)).headers['x-scan-usage']).toBe('1');
  });
});

test('a member of `context` beside it is refused with its place, instead of having no effect', async () => {
  const answer = await post({ eml: 'Subject: x\r\n\r\nx', trustAuthenticationResults: true });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().details).toEqual([
    {
      path: 'trustAuthenticationResults',
      message: 'This belongs in another place. Send it as context.trustAuthenticationResults.',
    },
  ]);
});

describe('413', () => {
  test('a message over 10 MiB costs nothing', async () => {
    const large = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(10 * 1024 * 1024, 97)]);
    const answer = await post({ emlBase64: large.toString('base64') });
    expect(answer.statusCode).toBe(413);
    expect((await scan(LINK)).headers['x-scan-usage']).toBe('1');
  });

  test('a body over 15 MiB is refused unread', async () => {
    const { until, socket } = await rawConnection(metered.port);
    socket.write(head(16 * 1024 * 1024));
    expect(await until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 413/);
    socket.destroy();
  });
});

const head = (length: number): string =>
  `POST /mail/scan HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('429', () => {
  test('without allowance the body is not read and nothing is charged (trap 41)', async () => {
    metered.principal = testCaller(
      'FREE',
      { accountId: `org_spent_${metered.callers}` },
      { scansPerMonth: 1 },
    );
    await scan(LINK);
    const { until, socket } = await rawConnection(metered.port);
    socket.write(head(10 * 1024 * 1024));
    const answer = await until(/resetsAt/);
    expect(answer).toMatch(/^HTTP\/1\.1 429/);
    expect(answer).toMatch(/x-scan-usage: 1\r/i);
    socket.destroy();
  });
});

describe('503', () => {
  const as = (accountId: string): Principal => testCaller('PRO', { accountId });

  test('all slots taken before the body: refused unread with Retry-After; one account leaves half to others', async () => {
    const threads = rig.threadsOf({ slots: 2 });
    let caller = as('org_a');
    const { gates, calls } = recordedGates({ identify: () => caller });
    const app = testApp(mailRoutes(rig.depsWith(threads)), { gates });
    const port = await listen(app);
    const hold = async (accountId: string) => {
      caller = as(accountId);
      const connection = await rawConnection(port);
      const before = threads.busy();
      connection.socket.write(head(1_000));
      await eventually('the slot is taken', 60_000, () => threads.busy() > before);
      return connection;
    };
    const refused = async (accountId: string) => {
      caller = as(accountId);
      const connection = await rawConnection(port);
      connection.socket.write(head(1_000));
      const answer = await connection.until(/\r\n\r\n/);
      connection.socket.destroy();
      return answer;
    };
    const first = await hold('org_a');
    expect(await refused('org_a')).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: 2\r/i);
    const second = await hold('org_b');
    expect(await refused('org_c')).toMatch(/^HTTP\/1\.1 503/);
    expect(calls.filter((call) => call.startsWith('admit'))).toEqual([]);
    first.socket.destroy();
    second.socket.destroy();
    await eventually('the slots are free', 60_000, () => threads.busy() === 0);
    await app.close();
  });

  test('a message that takes too long is given up, costs nothing, and the next one is answered', async () => {
    const threads = rig.threadsOf({ deadlineMs: 1 });
    const { gates, calls } = recordedGates({ identify: () => as('org_a') });
    const app = testApp(mailRoutes(rig.depsWith(threads)), { gates });
    const answer = await app.inject({
      method: 'POST',
      url: '/mail/scan',
      payload: { emlBase64: LINK.toString('base64') },
    });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(calls.filter((call) => call === 'admit 1').length).toBe(
      calls.filter((call) => call === 'refund 1').length,
    );
    await eventually('the slot is free', 60_000, () => threads.busy() === 0);
    await app.close();
    expect((await scan(LINK)).result.verdict).toBe('malicious');
  });
});

test('a thread is replaced after its scans, and nothing of a message is logged', async () => {
  const { log, lines } = capturedLog();
  const threads = rig.threadsOf({ slots: 1, scansPerThread: 2 }, log);
  const { gates } = recordedGates();
  const app = testApp(mailRoutes(rig.depsWith(threads)), { gates, log });
  const mail = makeMail({
    subject: 'marker-of-subject',
    text: 'marker-of-body',
    from: 'marker-of-sender@firma.com',
  });
  for (let scans = 0; scans < 5; scans += 1) {
    const payload = { emlBase64: mail.toString('base64') };
    const answer = await app.inject({ method: 'POST', url: '/mail/scan', payload });
    expect(answer.statusCode, answer.body).toBe(200);
  }
  await app.close();
  expect(lines.join('\n')).toContain('/mail/scan');
  expect(lines.join('\n')).not.toMatch(/marker-of/);
});
