import { describe, expect, test } from 'vitest';
import { readInput } from './read-input.ts';
import type { Way } from './reading.ts';

const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const wayOf = (text: string, index = 0): Way => {
  const reading = readInput(text);
  if (reading.kind !== 'one') throw new Error(`'${text}' was read as ${reading.kind}.`);
  const way = reading.ways[index];
  if (way === undefined) throw new Error(`'${text}' has no way ${index}.`);
  return way;
};
const pageOf = (text: string, index = 0) => {
  const { answer } = wayOf(text, index);
  return answer.kind === 'page' ? answer.target : answer.sentence;
};

describe('one indicator', () => {
  test.each([
    ['185.220.101.34', 'IPv4', { type: 'ip', value: '185.220.101.34' }],
    ['2a03:2880:0:0::1', 'IPv6', { type: 'ip', value: '2a03:2880::1' }],
    ['Evil.COM.', 'Domain', { type: 'domain', value: 'evil.com' }],
    ['https://evil.com/a b', 'URL', { type: 'url', value: 'https://evil.com/a%20b' }],
    [SHA256.toUpperCase(), 'SHA-256', { type: 'hash', value: SHA256 }],
    ['d41d8cd98f00b204e9800998ecf8427e', 'MD5', { type: 'hash', value: 'd41d8cd98f00b204e9800998ecf8427e' }],
  ])('%s is recognised and goes to its page', (text, word, target) => {
    expect(wayOf(text).word).toBe(word);
    expect(pageOf(text)).toEqual(target);
  });

  test.each([
    ['hxxps[:]//evil[.]com/login', 'https://evil.com/login'],
    ['"evil[.]com",', 'evil.com'],
    ['  evil (dot) com  ', 'evil.com'],
    ['Seen at evil.com yesterday', 'evil.com'],
  ])('%s is refanged, and what was understood is shown', (text, readAs) => {
    expect(wayOf(text).readAs).toBe(readAs);
  });

  test('a text that is already canonical is not repeated', () => {
    expect(wayOf('evil.com').readAs).toBeNull();
    expect(wayOf(' 8.8.8.8 ').readAs).toBeNull();
  });

  test('an internationalized name stands beside its punycode, whichever was typed', () => {
    for (const text of ['пример.com', 'xn--e1afmkfd.com']) {
      expect(wayOf(text).unicode).toBe('пример.com');
      expect(pageOf(text)).toEqual({ type: 'domain', value: 'xn--e1afmkfd.com' });
    }
    expect(wayOf('https://xn--e1afmkfd.com/xn--e1afmkfd').unicode).toBe('https://пример.com/xn--e1afmkfd');
  });

  test('a URL can be checked as its host instead', () => {
    expect(pageOf('http://evil.com/x', 1)).toEqual({ type: 'domain', value: 'evil.com' });
    expect(pageOf('http://8.8.8.8/x', 1)).toEqual({ type: 'ip', value: '8.8.8.8' });
  });
});

describe('answered in words, without a request', () => {
  test.each([
    ['192.168.1.1', '192.168.1.1 is set aside: Private use (RFC 1918).'],
    ['2001:db8::1', '2001:db8::1 is set aside: Documentation (RFC 3849).'],
    ['http://10.0.0.1/admin', 'The host 10.0.0.1 is set aside: Private use (RFC 1918).'],
    ['10.0.0.0/8', '10.0.0.0/8 is set aside: Private use (RFC 1918).'],
  ])('%s is private or reserved', (text, start) => {
    expect(pageOf(text)).toBe(`${start} Such addresses have no public reputation, so nothing was sent.`);
  });

  test('a CVE is not answered yet, and nothing is opened', () => {
    const { word, answer } = wayOf('cve-2024-3094');
    expect(word).toBe('CVE');
    expect(answer).toEqual({ kind: 'words', sentence: expect.stringContaining('GET /cve/CVE-') });
  });
});

describe('led to the page that answers it', () => {
  const leadOf = (text: string) => {
    const { answer } = wayOf(text);
    return answer.kind === 'words' ? answer.lead : undefined;
  };

  test.each([
    ['AS60729', 'ASN', '/asn/60729'],
    ['asn 13335', 'ASN', '/asn/13335'],
    ['185.220.101.9/24', 'Range', '/network/185.220.101.0/24'],
    ['2a0e:97c0:0::/48', 'Range', '/network/2a0e:97c0::/48'],
  ])('%s opens %s', (text, word, path) => {
    expect(wayOf(text).word).toBe(word);
    expect(leadOf(text)).toEqual({ kind: 'path', path });
  });

  test.each([
    ['Mallory@EVIL.com', 'E-mail', { type: 'email', value: 'mallory@evil.com' }],
    ['mallory[at]evil[.]com', 'E-mail', { type: 'email', value: 'mallory@evil.com' }],
    ['+1 415 555 2671', 'Phone', { type: 'phone', value: '+14155552671' }],
    [
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      'Wallet',
      { type: 'crypto', value: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' },
    ],
  ])('%s is a contact, which no path and no sentence names', (text, word, contact) => {
    const way = wayOf(text);
    expect(way.word).toBe(word);
    expect(leadOf(text)).toEqual({ kind: 'contact', contact });
    expect(pageOf(text)).not.toContain(contact.value);
    expect(way.readAs).toBeNull();
  });

  test('the domain of an e-mail address has a page of its own', () => {
    expect(pageOf('mallory@evil.com', 1)).toEqual({ type: 'domain', value: 'evil.com' });
  });
});

describe('more than one', () => {
  test.each([
    ['8.8.8.8\n1.1.1.1\n8.8.8.8', 2],
    ['8.8.8.8, 1.1.1.1; evil[.]com', 3],
    ['8.8.8.8,1.1.1.1', 2],
    ['https://a.com/ https://b.com/', 2],
    ['Nov 15 sshd: Failed password from 185.220.101.34 and 45.9.148.3 port 22', 2],
  ])('%j is a list, each counted once', (text, count) => {
    expect(readInput(text)).toEqual({ kind: 'list', count });
  });

  test('an address beside an e-mail address is one indicator, not a list', () => {
    expect(pageOf('8.8.8.8 mallory@evil.com')).toEqual({ type: 'ip', value: '8.8.8.8' });
  });
});

describe('not readable', () => {
  test.each([
    ['localhost', 'A single word is not a domain'],
    ['300.1.1.1', 'An IPv4 address has four numbers'],
    ['evil.com/login', 'A path needs a scheme in front'],
    ['64500', 'write four decimal numbers'],
  ])('%s is refused with the sentence of the parser', (text, start) => {
    const reading = readInput(text);
    expect(reading).toMatchObject({ kind: 'unreadable', sentence: expect.stringContaining(start) });
  });

  test('an empty text reads as nothing', () => {
    expect(readInput(' \n ')).toEqual({ kind: 'nothing' });
  });
});
