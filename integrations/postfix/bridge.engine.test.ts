import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually, freePort } from '../../server/test/support/eventually.ts';
import { keyThatBlocks } from '../../server/test/support/mail/blocking-key.ts';
import { makeMail } from '../../server/test/support/mail/made-mail.ts';
import { closedUrl, type ScanProxy, startScanProxy } from '../../server/test/support/mail/scan-proxy.ts';
import { dotted, MailSender } from '../../server/test/support/mail/send-mail.ts';
import { type SmtpSink, startSmtpSink } from '../../server/test/support/mail/smtp-sink.ts';
import { type SharedService, sharedService } from '../../server/test/support/shared-service.ts';
import { type Bridge, startBridge } from './bridge.ts';
import type { LogLine } from './session.ts';
import { readSettings } from './settings.ts';

let shared: SharedService;
let key: string;
let proxy: ScanProxy;
let sink: SmtpSink;
const open: (() => unknown)[] = [];
const logged: LogLine[] = [];

beforeAll(async () => {
  shared = await sharedService('bridge');
  key = await keyThatBlocks(shared.service, 'bridge', BLOCKED, shared.fromHere);
  proxy = await startScanProxy(shared.service.url);
});
afterAll(async () => {
  await proxy?.close();
  await shared?.stop();
});
beforeEach(async () => {
  sink = await startSmtpSink();
  proxy.state = 'up';
  logged.length = 0;
});
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
  await sink.close();
});

const settingsWith = (env: Record<string, string> = {}) => ({
  ASSAY_LISTEN: '127.0.0.1:0',
  ASSAY_REINJECT: `127.0.0.1:${sink.port}`,
  ASSAY_URL: proxy.url,
  ASSAY_KEY: key,
  ASSAY_SCAN_DEADLINE_MS: '60000',
  ...env,
});
async function bridgeWith(env: Record<string, string> = {}): Promise<Bridge> {
  const bridge = await startBridge(readSettings(settingsWith(env)), (line) => logged.push(line));
  open.push(bridge.close);
  return bridge;
}
async function senderTo({ port }: { readonly port: number }): Promise<MailSender> {
  const sender = await MailSender.open(port);
  open.push(() => sender.close());
  return sender;
}
const SOON = { ASSAY_SCAN_DEADLINE_MS: '300' };
const MAIL = makeMail({ headers: ['X-Assay-Verdict: clean', 'X-Assay-Scan: done'] });
const BLOCKED = 'blocked-for-the-bridge.com';
const LISTED = makeMail({ html: `<a href="http://${BLOCKED}/x">x</a>` });
const headerOf = (name: string, raw = sink.mails.at(-1)?.raw ?? ''): string[] =>
  [
    ...(raw
      .split('\r\n\r\n')[0]
      ?.replace(/\r\n[ \t]/g, ' ')
      .matchAll(new RegExp(`^${name}: (.*)$`, 'gm')) ?? []),
  ].map((each) => each[1] ?? '');

describe('a scanned message', () => {
  test('arrives once, unchanged but for the headers of the scan, and forged ones are gone', async () => {
    const sender = await senderTo(await bridgeWith());
    expect(await sender.send(MAIL, ['b@example.net', 'c@example.net'])).toMatchObject({ code: 250 });
    expect(sink.mails).toHaveLength(1);
    expect(sink.mails[0]).toMatchObject({
      from: 'a@example.org',
      recipients: ['b@example.net', 'c@example.net'],
    });
    expect(headerOf('X-Assay-Scan')).toEqual(['done']);
    expect(headerOf('X-Assay-Verdict')).toEqual(['inconclusive']);
    expect(headerOf('X-Assay-Action')).toHaveLength(1);
    const own = /^(?:X-Assay-.*\r\n(?:[ \t].*\r\n)*)+/.exec(sink.mails[0]?.raw ?? '')?.[0] ?? '';
    const sent = MAIL.toString('latin1').replace(/^(?:X-Assay-.*\r\n)+/, '');
    expect(`${sink.mails[0]?.raw}\r\n`).toBe(`${own}${sent}${sent.endsWith('\r\n') ? '' : '\r\n'}`);
  });

  test('the reasons are named, and the log has the queue id and no address', async () => {
    const sender = await senderTo(await bridgeWith());
    expect(await sender.say('XFORWARD NAME=x ADDR=45.155.205.233 IDENT=4XyZ1')).toMatchObject({ code: 250 });
    await sender.send(LISTED);
    expect(headerOf('X-Assay-Reasons')[0]).toMatch(/link\.listed/);
    expect(headerOf('X-Assay-Reasons')[0]).toMatch(/ip\.listed/);
    expect(logged.at(-1)).toMatchObject({ event: 'message', queueId: '4XyZ1', result: 'delivered' });
    expect(JSON.stringify(logged)).not.toMatch(/@|45\.155/);
    expect(sink.commands).toContain('XFORWARD NAME=x ADDR=45.155.205.233 IDENT=4XyZ1');
  });

  test('a listener that refuses one recipient refuses only that one', async () => {
    const sender = await senderTo(await bridgeWith());
    await sender.say('MAIL FROM:<a@example.org>');
    expect(await sender.say('RCPT TO:<refused@example.net>')).toMatchObject({ code: 550 });
    expect(await sender.say('RCPT TO:<b@example.net>')).toMatchObject({ code: 250 });
    await sender.say('DATA');
    sender.write(dotted(MAIL));
    expect(await sender.answer()).toMatchObject({ code: 250 });
    expect(sink.mails[0]?.recipients).toEqual(['b@example.net']);
  });
});

describe('an answer is given only after the listener behind has answered', () => {
  test.each(['451 4.3.0 Disk full', '554 5.7.1 No'])('%s is passed on', async (answer) => {
    sink.answer = () => answer;
    const sender = await senderTo(await bridgeWith());
    expect((await sender.send(MAIL)).text).toBe(answer);
  });

  test('a listener that takes the message and breaks off gives 451', async () => {
    sink.answer = () => 'hang';
    const bridge = await bridgeWith();
    const sender = await senderTo(bridge);
    const sending = sender.send(MAIL);
    await eventually('the sink has the message', 10_000, () => sink.mails.length === 1);
    await sink.close();
    expect(await sending).toMatchObject({ code: 451 });
    sink = await startSmtpSink();
  });

  test('without a listener behind Postfix is told to try later', async () => {
    const bridge = await bridgeWith({ ASSAY_REINJECT: `127.0.0.1:${await freePort()}` });
    const sender = await senderTo(bridge);
    expect(await sender.say('NOOP')).toMatchObject({ code: 0 });
    expect(logged).toContainEqual({ event: 'reinjection listener away' });
  });

  test('a sender that hung up during the scan keeps its message, and none is delivered', async () => {
    proxy.state = 'late';
    const sender = await senderTo(await bridgeWith({ ASSAY_SCAN_DEADLINE_MS: '2000' }));
    const before = proxy.asked();
    void sender.send(MAIL);
    await eventually('the scan is asked', 10_000, () => proxy.asked() > before);
    sender.close();
    await eventually('the message is given up', 10_000, () =>
      logged.some(({ result }) => result === 'given up'),
    );
    expect(sink.mails).toHaveLength(0);
  });
});

describe('a message that cannot be scanned', () => {
  const FAULTS: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
    ['busy', async () => ({ ...SOON, ASSAY_URL: setState('full') })],
    ['timeout', async () => ({ ...SOON, ASSAY_URL: setState('late') })],
    ['unreachable', async () => ({ ASSAY_URL: setState('gone') })],
    ['unreachable', async () => ({ ASSAY_URL: await closedUrl() })],
    ['key-refused', async () => ({ ASSAY_KEY: 'bm8tc3VjaC1rZXk6eA==' })],
    ['bad-answer', async () => ({ ASSAY_URL: `${proxy.url}/nowhere` })],
  ];
  const setState = (state: ScanProxy['state']): string => {
    proxy.state = state;
    return proxy.url;
  };

  test.each(FAULTS)('%s: open delivers it with the reason, closed keeps it queued', async (reason, env) => {
    const broken = await env();
    const opened = await senderTo(await bridgeWith(broken));
    expect(await opened.send(MAIL)).toMatchObject({ code: 250 });
    expect(headerOf('X-Assay-Scan')).toEqual([`skipped; reason=${reason}`]);
    expect(headerOf('X-Assay-Verdict')).toEqual([]);
    const closed = await senderTo(await bridgeWith({ ...broken, ASSAY_ON_FAILURE: 'closed' }));
    const answer = await closed.send(MAIL);
    expect(answer).toMatchObject({ code: 451 });
    expect(answer.text).toContain(reason);
    expect(sink.mails).toHaveLength(1);
    // The SMTP session stays open after a refusal.
    expect(await closed.say('NOOP')).toMatchObject({ code: 250 });
  });

  test('over 10 MiB it is too large for the scan, and over the limit of the bridge it is refused', async () => {
    const large = Buffer.concat([MAIL, Buffer.alloc(10 * 1024 * 1024, 'line of text\r\n')]);
    const sender = await senderTo(await bridgeWith());
    expect(await sender.send(large)).toMatchObject({ code: 250 });
    expect(headerOf('X-Assay-Scan')).toEqual(['skipped; reason=too-large']);
    const small = await senderTo(await bridgeWith({ ASSAY_MESSAGE_BYTES_MAX: '2000' }));
    expect(await small.send(large.subarray(0, 5_000))).toMatchObject({ code: 552 });
    expect(sink.mails).toHaveLength(1);
  });

  test('after five failures in a row the scanner rests, and mail passes at once', async () => {
    proxy.state = 'gone';
    const sender = await senderTo(await bridgeWith());
    for (let i = 0; i < 5; i += 1) await sender.send(MAIL);
    const asked = proxy.asked();
    await sender.send(MAIL);
    expect(proxy.asked()).toBe(asked);
    expect(headerOf('X-Assay-Scan')).toEqual(['skipped; reason=unreachable']);
    expect(sink.mails).toHaveLength(6);
  });

  test('a busy scanner is asked again after the pause that it asks for', async () => {
    proxy.state = 'full';
    const sender = await senderTo(await bridgeWith());
    const before = proxy.asked();
    const sending = sender.send(MAIL);
    await eventually('the scan is refused', 10_000, () => proxy.asked() > before);
    proxy.state = 'up';
    expect(await sending).toMatchObject({ code: 250 });
    expect(headerOf('X-Assay-Scan')).toEqual(['done']);
  });
});

describe('quarantine', () => {
  test('is off by default; by choice the message goes to the mailbox, with its envelope in headers', async () => {
    const plain = await senderTo(await bridgeWith());
    await plain.send(LISTED);
    expect(sink.mails[0]?.recipients).toEqual(['b@example.net']);
    expect(headerOf('X-Assay-Action')).toEqual(['quarantine']);
    const held = await senderTo(await bridgeWith({ ASSAY_QUARANTINE_TO: 'quarantine@example.net' }));
    expect(await held.send(LISTED, ['b@example.net', 'c@example.net'])).toMatchObject({ code: 250 });
    expect(sink.mails[1]).toMatchObject({ from: '', recipients: ['quarantine@example.net'] });
    expect(headerOf('X-Assay-Recipients')).toEqual(['b@example.net, c@example.net']);
    expect(headerOf('X-Assay-Sender')).toEqual(['a@example.org']);
    await held.send(MAIL);
    expect(sink.mails[2]?.recipients).toEqual(['b@example.net']);
  });

  test('a mailbox that is not accepted keeps the message queued', async () => {
    const sender = await senderTo(await bridgeWith({ ASSAY_QUARANTINE_TO: 'refused@example.net' }));
    expect(await sender.send(LISTED)).toMatchObject({ code: 451 });
    expect(sink.mails).toHaveLength(0);
  });
});

describe('the program', () => {
  test('more connections than the limit are told to try later', async () => {
    const bridge = await bridgeWith({ ASSAY_SESSIONS_MAX: '1' });
    const first = await senderTo(bridge);
    const second = await senderTo(bridge);
    expect(await second.say('NOOP')).toMatchObject({ code: 0 });
    expect(await first.send(MAIL)).toMatchObject({ code: 250 });
  });

  test('on SIGTERM the message in the bridge is delivered and answered, then the program ends', async () => {
    proxy.state = 'slow';
    const port = await freePort();
    const child = fork(join(import.meta.dirname, 'main.ts'), [], {
      env: { PATH: process.env.PATH, ...settingsWith({ ASSAY_LISTEN: `127.0.0.1:${port}` }) },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    open.push(() => child.kill('SIGKILL'));
    await once(child.stdout ?? child, 'data');
    const ended = once(child, 'exit');
    const [idle, sender] = [await senderTo({ port }), await senderTo({ port })];
    const before = proxy.asked();
    const sending = sender.send(MAIL);
    await eventually('the scan is asked', 10_000, () => proxy.asked() > before);
    child.kill('SIGTERM');
    expect(await sending).toMatchObject({ code: 250 });
    expect(await idle.answer()).toMatchObject({ code: 421 });
    expect(await ended).toEqual([0, null]);
    expect(sink.mails).toHaveLength(1);
  });
});
