import { describe, expect, test } from 'vitest';
import { type MailTrust, readAuthentication, readReport } from './authentication.ts';
import { readMailbox, readMailboxes } from './mailboxes.ts';
import { isMessage, readHeaders } from './read-headers.ts';
import { cameFromInternet, connectingAddress, tcpAddressOf } from './received.ts';

const headersOf = (...lines: string[]) =>
  readHeaders(Buffer.from(`${lines.join('\r\n')}\r\n\r\nbody`)).headers;

describe('the header block', () => {
  test('keeps the order, joins folded lines and ignores lines that are no fields', () => {
    expect(headersOf('Received: one', ' two', 'not a field', 'Subject:three', 'received: four')).toEqual([
      { name: 'received', value: 'one two' },
      { name: 'subject', value: 'three' },
      { name: 'received', value: 'four' },
    ]);
  });

  test('an mbox separator before it is left out, and Latin-1 is read', () => {
    const bytes = Buffer.concat([
      Buffer.from('From x@y Mon\nSubject: caf'),
      Buffer.of(0xe9),
      Buffer.from('\n\n'),
    ]);
    expect(readHeaders(bytes).headers).toEqual([{ name: 'subject', value: 'café' }]);
  });

  test('a flood of headers and a header of a megabyte are cut, and say so', () => {
    const many = readHeaders(Buffer.from('X-A: 1\r\n'.repeat(5_000)));
    expect([many.headers.length, many.isCut]).toEqual([1_000, true]);
    const hidden = readHeaders(Buffer.from(`${'X-A: 1\r\n'.repeat(1_200)}From: a@b.example.com\r\n\r\n`));
    expect(hidden.headers.at(-1)).toEqual({ name: 'from', value: 'a@b.example.com' });
    const long = readHeaders(Buffer.from(`Subject: ${'a'.repeat(1_000_000)}\r\n\r\n`));
    expect(long.isCut).toBe(true);
    expect(long.headers[0]?.value.length ?? 0).toBeLessThanOrEqual(16_384);
  });

  test.each(['From: a@b.example.com', 'Received: x', 'Message-ID: <a>', 'Date: now', 'Subject: x'])(
    '%s alone makes a message, other fields do not (decisions 3.11)',
    (line) => {
      expect(isMessage(headersOf(line))).toBe(true);
      expect(isMessage(headersOf('X-Other: 1'))).toBe(false);
    },
  );
});

describe('mailboxes', () => {
  test.each<[string, string | null, string | null]>([
    ['Anna Berg <anna@firma.com>', 'Anna Berg', 'anna@firma.com'],
    ['"Berg, Anna" <ANNA@Firma.com>', 'Berg, Anna', 'anna@firma.com'],
    ['anna@firma.com (Anna Berg)', 'Anna Berg', 'anna@firma.com'],
    ['=?UTF-8?Q?J=C3=BCrg?= <j@firma.com>', 'Jürg', 'j@firma.com'],
    ['"=?UTF-8?B?SsO8cmc=?=" <j@firma.com>', 'Jürg', 'j@firma.com'],
    ['""""" Norton """"" <x@firma.com>', 'Norton', 'x@firma.com'],
    ['"a@bank.com" <x@firma.com>', 'a@bank.com', 'x@firma.com'],
    ['Anna Berg', 'Anna Berg', null],
    ['Nobody <nobody@host>', 'Nobody', null],
  ])('%s', (text, name, address) => {
    const read = readMailbox(text);
    expect([read.name, read.email?.value ?? null]).toEqual([name, address]);
  });

  test('a list is split outside of quotes, and has a limit', () => {
    expect(readMailboxes('"a, b" <a@x.com>, c@x.com').map(({ email }) => email?.value)).toEqual([
      'a@x.com',
      'c@x.com',
    ]);
    expect(readMailboxes('a@x.com,'.repeat(1_000))).toHaveLength(20);
  });
});

describe('the address that connected (RFC 5321 4.4, O42)', () => {
  test.each<[string, string | null]>([
    ['from mail.a.com (mail.a.com [198.51.101.7]) by mx.b.com with ESMTPS id 4X', '198.51.101.7'],
    ['from helo (rdns.a.com [198.51.101.7] (may be forged)) by mx.b.com', '198.51.101.7'],
    ['from a ([IPv6:2a01:4f8::1]) by b', '2a01:4f8::1'],
    [
      'from AM6PR.prod.outlook.com (2603:10a6:20b::1) by X (2603::2) with Microsoft SMTP Server id 15.20.9587.18',
      '2603:10a6:20b::1',
    ],
    ['from unknown (HELO x) (198.51.101.7) by b', '198.51.101.7'],
    ['from [198.51.101.7] (helo=mail.a.com) by b with esmtp', '198.51.101.7'],
    ['from [198.51.101.7] by b', null],
    ['by mx.b.com with SMTP id 15.20.9587.18', null],
    ['from mail.a.com by mx.b.com (198.51.101.9) with ESMTP id 15.20.9587.18; Mon', null],
  ])('%s', (received, expected) => {
    expect(tcpAddressOf(received)?.value ?? null).toBe(expected);
  });

  test('is that of the last trusted hop from the top', () => {
    const hops = ['from a ([10.0.0.3]) by b', 'from c ([198.51.101.7]) by d'];
    expect(connectingAddress(hops, 1)?.value).toBe('10.0.0.3');
    expect(connectingAddress(hops, 2)?.value).toBe('198.51.101.7');
    expect(connectingAddress(hops, 3)).toBeNull();
    expect([cameFromInternet(hops), cameFromInternet(hops.slice(0, 1))]).toEqual([true, false]);
  });
});

describe('authentication by the caller’s own system (trap 45, O17)', () => {
  const trust = (given: Partial<MailTrust>): MailTrust => ({
    authservId: null,
    trustAuthenticationResults: false,
    trustedHops: 1,
    ...given,
  });
  const OWN =
    'Authentication-Results: mx.firma.com; spf=pass smtp.mailfrom=a.com; dkim=fail (bad); dkim=pass; dmarc=pass (p=REJECT) header.from=a.com';
  const RECEIVED = 'Received: from x ([198.51.101.7]) by mx.firma.com';
  const FORGED = 'Authentication-Results: mx.evil.com; dmarc=pass header.from=a.com';

  test('is read by its name, and ignored without the word of the caller', () => {
    const headers = headersOf(OWN, RECEIVED);
    expect(readAuthentication(headers, trust({ authservId: 'MX.firma.com' }))).toEqual({
      status: 'trusted',
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      headerFrom: 'a.com',
      policy: 'reject',
    });
    expect(readAuthentication(headers, trust({})).status).toBe('unverified');
  });

  test('a header of another system is ignored, above and below', () => {
    for (const headers of [headersOf(FORGED, RECEIVED), headersOf(RECEIVED, FORGED)])
      expect(readAuthentication(headers, trust({ authservId: 'mx.firma.com' })).status).toBe('unverified');
  });

  test('a header below the trusted hops does not count, even under the right name', () => {
    const forged = FORGED.replace('mx.evil.com', 'mx.firma.com');
    const headers = headersOf(RECEIVED, 'Received: from y ([198.51.101.8]) by x', forged);
    expect(readAuthentication(headers, trust({ authservId: 'mx.firma.com' })).status).toBe('unverified');
    expect(readAuthentication(headers, trust({ authservId: 'mx.firma.com', trustedHops: 2 })).status).toBe(
      'trusted',
    );
  });

  test('only the topmost counts: what a sender adds below does not complete it', () => {
    const spfOnly = 'Authentication-Results: mx.firma.com; spf=fail smtp.mailfrom=a.com';
    const forged = FORGED.replace('mx.evil.com', 'mx.firma.com');
    const read = readAuthentication(
      headersOf(RECEIVED, spfOnly, forged),
      trust({ authservId: 'mx.firma.com' }),
    );
    expect([read.spf, read.dmarc]).toEqual(['fail', null]);
    const above = readAuthentication(
      headersOf(spfOnly, forged, RECEIVED),
      trust({ authservId: 'mx.firma.com' }),
    );
    expect([above.spf, above.dmarc]).toEqual(['fail', 'pass']);
  });

  test('a header without a name counts only with trustAuthenticationResults', () => {
    const headers = headersOf(
      'Authentication-Results: spf=pass smtp.mailfrom=a.com; dmarc=fail header.from=a.com',
      RECEIVED,
    );
    expect(readAuthentication(headers, trust({ authservId: 'mx.firma.com' })).status).toBe('unverified');
    expect(readAuthentication(headers, trust({ trustAuthenticationResults: true })).dmarc).toBe('fail');
  });

  test('results in comments and in encoded words are not results of the header', () => {
    expect(readReport('mx.a.com; spf=none (dmarc=pass); x').results.has('dmarc')).toBe(false);
    expect(readReport('=?UTF-8?Q?mx.a.com?=; dmarc=fail').authservId).toBe('mx.a.com');
  });
});
