import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '#platform/http/principal.ts';
import type { ThreadBudget } from '#platform/thread-budget.ts';
import { eventually } from '#test/eventually.ts';
import { capturedLog, rawConnection, recordedGates, testApp } from '#test/http-app.ts';
import { BOMBS } from '#test/mail/bombs.ts';
import { makeMail } from '#test/mail/made-mail.ts';
import { type MailRig, openMailRig } from '#test/mail/mail-rig.ts';
import { testCaller } from '#test/meter.ts';
import { type MeteredApp, startMeteredApp } from '#test/metered-app.ts';
import type { ScanResult } from './contract-result.ts';
import type { MailDeps } from './mail-deps.ts';
import { openBody } from './open-body.ts';
import { scanLimits } from './open-mail.ts';
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

describe('scan slots', () => {
  const payload = { emlBase64: LINK.toString('base64') };

  /** An app whose callers say who they are, and whose charges wait until the test lets them go. */
  function slotsApp({ slots = 2, ...parts }: Partial<MailDeps> & { readonly slots?: number } = {}) {
    const threads = rig.threadsOf({ slots });
    const charged = Promise.withResolvers<null>();
    const { gates, calls } = recordedGates({
      identify: ({ headers }): Principal => {
        const [plan = '', accountId = ''] = String(headers['x-api-key']).split(' ');
        return testCaller(plan as 'FREE' | 'PRO', { accountId });
      },
      admit: (_request, _reply, _policy, _principal, units) => (units === 0 ? null : charged.promise),
    });
    const app = testApp(mailRoutes({ ...rig.depsWith(threads), ...parts }), { gates });
    const scanAs = (accountId: string, plan: 'FREE' | 'PRO' = 'PRO') =>
      app.inject({
        method: 'POST',
        url: '/mail/scan',
        headers: { 'x-api-key': `${plan} ${accountId}` },
        payload,
      });
    return { app, threads, calls, scanAs, charge: () => charged.resolve(null) };
  }

  test('all in use: 503 with Retry-After that costs no scan; one account leaves half to others', async () => {
    const { app, threads, calls, scanAs, charge } = slotsApp();
    const first = scanAs('org_a');
    await eventually('one slot is in use', 60_000, () => threads.busy() === 1);
    const own = await scanAs('org_a');
    expect([own.statusCode, own.headers['retry-after']]).toEqual([503, '2']);
    expect(own.json().message).toBe(
      "Your account may have 1 scan under way at a time on this server. You weren't charged. Try again in 2 seconds.",
    );
    const second = scanAs('org_b');
    await eventually('both slots are in use', 60_000, () => threads.busy() === 2);
    const third = await scanAs('org_c');
    expect(third.statusCode).toBe(503);
    expect(third.json().message).toBe(
      "All scan slots of this server are in use. You weren't charged. Try again in 2 seconds.",
    );
    await eventually('two units wait', 60_000, () => calls.filter((call) => call === 'admit 1').length === 2);
    charge();
    expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200]);
    expect(threads.busy()).toBe(0);
    await app.close();
  });

  test('accounts of the FREE plan leave half of the slots to others, however many they are', async () => {
    const { app, threads, scanAs, charge } = slotsApp({ slots: 4 });
    const free = ['org_a', 'org_b'].map((account) => scanAs(account, 'FREE'));
    await eventually('half of the slots are in use', 60_000, () => threads.busy() === 2);
    const third = await scanAs('org_c', 'FREE');
    expect([third.statusCode, third.json().message]).toEqual([
      503,
      "The scan slots of the FREE plan on this server are in use. You weren't charged. Try again in 2 seconds.",
    ]);
    const paying = scanAs('org_d');
    await eventually('another one is in use', 60_000, () => threads.busy() === 3);
    charge();
    for (const answer of [...free, paying]) expect((await answer).statusCode).toBe(200);
    await app.close();
  });

  test('a slot is free again before a slow name server answers', async () => {
    const posture = Promise.withResolvers<never>();
    const isAsked = Promise.withResolvers<void>();
    const dns = {
      ...rig.depsWith(rig.threadsOf()).providers.dns,
      ask: () => {
        isAsked.resolve();
        return posture.promise;
      },
    } as MailDeps['providers']['dns'];
    const { app, threads, scanAs, charge } = slotsApp({ providers: { dns } });
    charge();
    const waiting = scanAs('org_a');
    await isAsked.promise;
    expect(threads.busy()).toBe(0);
    posture.reject(new Error('The test is over.'));
    expect((await waiting).statusCode).toBe(500);
    await app.close();
  });
});

describe('a scan that does not finish', () => {
  /** Takes 30 to 80 ms of CPU time to open and ten times as much to read. */
  const heavy = (): Buffer => BOMBS['a PDF of names']?.() ?? Buffer.alloc(0);

  async function stoppedBy(budget: ThreadBudget) {
    const threads = rig.threadsOf({ budget });
    const { gates, calls } = recordedGates();
    const app = testApp(mailRoutes(rig.depsWith(threads)), { gates });
    const payload = { emlBase64: heavy().toString('base64') };
    const answer = await app.inject({ method: 'POST', url: '/mail/scan', payload });
    await eventually('the slot is free', 60_000, () => threads.busy() === 0);
    await app.close();
    const count = (name: string) => calls.filter((call) => call === name).length;
    return { answer, message: answer.json().message as string, paid: count('admit 1') - count('refund 1') };
  }

  test.each([
    ['while it is read', 250],
    ['while it is opened', 1],
  ])(
    'out of CPU time %s: 413 without Retry-After, because a repeat ends alike, and nothing is paid (trap 42)',
    async (_, cpuMs) => {
      const { answer, message, paid } = await stoppedBy({ cpuMs, wallMs: 120_000 });
      expect(answer.statusCode, answer.body).toBe(413);
      expect(answer.headers['retry-after']).toBeUndefined();
      expect(message).toBe(
        `The scan was stopped because it takes more than 1 second of CPU time or 96 MiB of memory. Trying again gives the same result. You weren't charged.`,
      );
      expect(paid).toBe(0);
    },
  );

  test('out of time by the clock alone: 503 with Retry-After, and nothing is paid', async () => {
    const { answer, message, paid } = await stoppedBy({ cpuMs: 120_000, wallMs: 1 });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
    expect(message).toBe(
      "The server is too busy to finish this scan. You weren't charged. Try again in 10 seconds.",
    );
    expect(paid).toBe(0);
    expect((await scan(LINK)).result.verdict).toBe('malicious');
  });

  test('1.3 MB of text takes less than a quarter of the CPU time that a message may take', async () => {
    const prose = makeMail({ text: 'hello world\n'.repeat(108_000) });
    const before = process.threadCpuUsage();
    const body = Buffer.from(JSON.stringify({ emlBase64: prose.toString('base64') }));
    const facts = await openBody(new Uint8Array(body)).read();
    const { user, system } = process.threadCpuUsage(before);
    expect(facts.cuts).toContain('body');
    expect((user + system) / 1_000).toBeLessThan(scanLimits(1).budget.cpuMs / 4);
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
