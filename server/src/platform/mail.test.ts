import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  headerOf,
  type SmtpMode,
  type SmtpPeer,
  startSilentPeer,
  startSmtpPeer,
} from '#test/peers/smtp-peer.ts';
import { type Authority, makeAuthority } from '#test/peers/tls-peer.ts';
import { loadConfig } from './config.ts';
import { createMailer, type MailConfig, type MailMessage } from './mail.ts';

const MESSAGE: MailMessage = {
  id: 'ltr_01ABC',
  to: 'person@example.org',
  subject: 'Grüße',
  text: 'Guten Tag.\n.\nEnde\n',
  html: '<p>Guten Tag.</p>',
  dateMs: Date.UTC(2027, 0, 2, 3, 4, 5),
};
const QUICK = { connectMs: 300, greetingMs: 300, silenceMs: 300, totalMs: 2_000 };
const PATIENT_TIMES = { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000, totalMs: 120_000 };

let dir: string;
let authority: Authority;
let caFile: string;
const peers: { close: () => Promise<void> }[] = [];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-mail-'));
  authority = makeAuthority('Mail authority');
  caFile = join(dir, 'ca.pem');
  writeFileSync(caFile, authority.pem);
});
afterAll(() => {
  authority?.close();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function peerWith(options: Parameters<typeof startSmtpPeer>[0] = {}): Promise<SmtpPeer> {
  const peer = await startSmtpPeer(options);
  peers.push(peer);
  return peer;
}
const withTls = () => authority.issue({ names: ['IP:127.0.0.1'] });
function send(url: string, more: Partial<MailConfig> = {}, times = PATIENT_TIMES, message = MESSAGE) {
  const config: MailConfig = {
    ASSAY_ENV: 'test',
    SMTP_URL: url,
    MAIL_FROM: 'Assay <no-reply@mail.example.com>',
    MAIL_CA_FILE: undefined,
    ...more,
  };
  const mailer = createMailer(config, times);
  if (mailer === null) throw new Error('There is no mailer.');
  return mailer.send(message, new AbortController().signal);
}

describe('a message reaches the server', () => {
  test('with text and HTML, the Message-ID of its id and its own date', async () => {
    const peer = await peerWith();
    expect(await send(peer.url())).toMatchObject({ status: 'sent' });
    const [mail] = peer.received;
    if (mail === undefined) throw new Error('Nothing was received.');
    expect(mail.to).toEqual(['person@example.org']);
    expect(headerOf(mail, 'Message-ID')).toBe('<ltr_01ABC@mail.example.com>');
    expect(headerOf(mail, 'From')).toBe('Assay <no-reply@mail.example.com>');
    expect(headerOf(mail, 'Date')).toBe('Sat, 02 Jan 2027 03:04:05 +0000');
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
    expect(mail.raw).toContain('multipart/alternative');
    expect(mail.raw).toContain('\r\n.\r\nEnde');
  });

  test.each(['smtp', 'smtps'] as const)('%s: over TLS with the password of SMTP_URL', async (scheme) => {
    const peer = await peerWith({
      certificate: withTls(),
      isSecure: scheme === 'smtps',
      password: 'p@ss/word',
    });
    const url = peer.url(scheme, `user:${encodeURIComponent('p@ss/word')}`);
    expect(await send(url, { MAIL_CA_FILE: caFile })).toMatchObject({ status: 'sent' });
    expect(peer.received[0]?.isSecure).toBe(true);
    expect(peer.passwords).toEqual(['user:p@ss/word']);
  });
});

describe('a password is never sent where others can read it', () => {
  test.each(['smtp', 'smtps'] as const)('%s: a certificate of an unknown authority', async (scheme) => {
    const peer = await peerWith({ certificate: withTls(), isSecure: scheme === 'smtps', password: 'secret' });
    expect(await send(peer.url(scheme, 'user:secret'))).toMatchObject({ status: 'away' });
    expect(peer.passwords).toEqual([]);
  });

  test('a certificate of another host', async () => {
    const certificate = authority.issue({ names: ['DNS:other.example.com'] });
    const peer = await peerWith({ certificate, password: 'secret' });
    expect(await send(peer.url('smtp', 'user:secret'), { MAIL_CA_FILE: caFile })).toMatchObject({
      status: 'away',
    });
    expect(peer.passwords).toEqual([]);
  });

  test('a server without STARTTLS, outside of tests', async () => {
    const peer = await peerWith({ password: 'secret' });
    const url = peer.url('smtp', 'user:secret');
    for (const ASSAY_ENV of ['production', 'development'] as const)
      expect(await send(url, { ASSAY_ENV })).toMatchObject({ status: 'away' });
    expect(peer.passwords).toEqual([]);
    expect(await send(url)).toMatchObject({ status: 'sent' });
  });

  test('MAIL_CA_FILE counts in tests only', () => {
    const env = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com', MAIL_CA_FILE: '/ca.pem' };
    expect(loadConfig({ ...env, ASSAY_ENV: 'test' }).MAIL_CA_FILE).toBe('/ca.pem');
    expect(loadConfig({ ...env, ASSAY_ENV: 'development' }).MAIL_CA_FILE).toBeUndefined();
  });
});

describe('what the server says decides what happens to the message', () => {
  const mode = (at: 'sender' | 'recipient' | 'data', code: number): SmtpMode => ({
    at,
    code,
    text: '5.1.1 <ADDRESS> no',
  });
  test.each([
    ['later', mode('recipient', 451)],
    ['refused', mode('recipient', 550)],
    ['later', mode('data', 452)],
    ['refused', mode('data', 554)],
    // A refused sender is our mistake: the message must outlive it.
    ['away', mode('sender', 550)],
    ['away', mode('recipient', 421)],
    ['away', 'cut'],
  ] as const)('%s after %j', async (status, given) => {
    const peer = await peerWith();
    peer.mode = given;
    const outcome = await send(peer.url());
    expect(outcome).toMatchObject({ status });
    expect(outcome.reason).not.toContain('person@example.org');
    expect(outcome.reason.length).toBeLessThanOrEqual(300);
  });

  test('away with a wrong password', async () => {
    const peer = await peerWith({ password: 'right' });
    expect(await send(peer.url('smtp', 'user:wrong'))).toMatchObject({ status: 'away' });
  });

  test('away without a server, with one that says nothing and with one that is no mail server', async () => {
    const gone = await startSmtpPeer();
    await gone.close();
    expect(await send(gone.url())).toMatchObject({ status: 'away' });
    for (const says of ['', 'HTTP/1.1 400 Bad Request\r\n\r\n', `220-${'x'.repeat(100_000)}`]) {
      const silent = await startSilentPeer(says);
      peers.push(silent);
      expect(await send(silent.url, {}, QUICK), says.slice(0, 9)).toMatchObject({ status: 'away' });
    }
  });

  test('an abort ends the talk', async () => {
    const silent = await startSilentPeer();
    peers.push(silent);
    const mailer = createMailer(
      { ASSAY_ENV: 'test', SMTP_URL: silent.url, MAIL_FROM: 'a@example.com', MAIL_CA_FILE: undefined },
      PATIENT_TIMES,
    );
    const outcome = await mailer?.send(MESSAGE, AbortSignal.timeout(50));
    expect(outcome).toMatchObject({ status: 'away' });
  });
});

describe('a message that must not leave', () => {
  test.each([
    ['a line break in the subject', { subject: 'a\r\nBcc: b@example.org' }],
    ['a line break in the address', { to: 'a@example.org\nb@example.org' }],
    ['a line break in a header', { headers: { 'X-A': 'a\r\nBcc: b@example.org' } }],
    ['a header name that is none', { headers: { 'X-A: b\r\nBcc': 'b@example.org' } }],
    ['an id that ends the Message-ID', { id: 'a>\r\nBcc: b@example.org' }],
    ['more than 256 KiB', { text: 'x\n'.repeat(150_000) }],
  ])('%s', async (_what, part) => {
    const peer = await peerWith();
    await expect(send(peer.url(), {}, PATIENT_TIMES, { ...MESSAGE, ...part })).rejects.toThrow();
    expect(peer.connections()).toBe(0);
  });

  test('a sender that is no address is refused at the start, and SMTP_URL needs one', () => {
    const SMTP_URL = 'smtp://mail.example.com';
    expect(() => loadConfig({ SMTP_URL })).toThrow('MAIL_FROM is missing');
    expect(() => loadConfig({ SMTP_URL, MAIL_FROM: 'a@example.com\r\nBcc: b@example.org' })).toThrow(
      'MAIL_FROM',
    );
    expect(() => loadConfig({ SMTP_URL: 'http://mail.example.com', MAIL_FROM: 'a@b.c' })).toThrow('SMTP_URL');
  });
});
