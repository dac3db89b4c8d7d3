import { describe, expect, test } from 'vitest';
import { isQuick } from '#test/growth.ts';
import { readLines, readWhois, referralOf } from './read-whois.ts';

const FACTS = {
  registrar: 'Example Registrar',
  registrant: null,
  createdDate: '1999-06-11T00:00:00.000Z',
  updatedDate: null,
  expiresDate: '2027-06-11T00:00:00.000Z',
  nameServers: ['ns1.example.net', 'ns2.example.net'],
  status: [],
  handle: null,
  source: 'whois',
};

describe('readWhois', () => {
  test('the plain form of most registries', () => {
    const text = [
      'Domain Name: EXAMPLE.TEST',
      'Registry Domain ID: D1-TEST',
      'Updated Date: 2024-02-03T04:05:06Z',
      'Creation Date: 1999-06-11T00:00:00.0Z',
      'Registry Expiry Date: 2027-06-11T00:00:00.0Z',
      'Registrar: Example Registrar',
      'Registrar URL: https://example.net',
      'Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited',
      'Domain Status: ok (https://icann.org/epp#ok)',
      'Registrant Organization: Example Org',
      'Name Server: NS1.EXAMPLE.NET.',
      'Name Server: ns2.example.net',
      'Name Server: ns2.example.net',
      '>>> Last update of WHOIS database: 2024-02-04T00:00:00Z <<<',
    ].join('\r\n');
    expect(readWhois(text, 'example.test')).toEqual({
      ...FACTS,
      updatedDate: '2024-02-03T04:05:06.000Z',
      registrant: 'Example Org',
      status: ['clientTransferProhibited', 'ok'],
      handle: 'D1-TEST',
    });
  });

  test.each([
    [
      'values below their key',
      '    Domain name:\n        example.test\n\n    Registrar:\n        Example Registrar\n        URL: http://x.example\n\n    Relevant dates:\n        Registered on: 11-Jun-1999\n        Expiry date:  11-Jun-2027\n\n    Name servers:\n        ns1.example.net      192.0.2.1\n        ns2.example.net\n\n',
    ],
    [
      'dots between key and value',
      'domain.............: example.test\ncreated............: 11.6.1999 00:00:00\nexpires............: 11.6.2027 00:00:00\nregistrar..........: Example Registrar\nnserver............: ns1.example.net [OK]\nnserver............: ns2.example.net [OK]\n',
    ],
    [
      'sections without a colon',
      'Domain:             example.test\nCreated:            1999-06-11 00:00:00\nExpire Date:        2027-06-11\n\nRegistrar\n  Organization:     Example Registrar\n  Name:             EX-REG\n\nNameservers\n  ns1.example.net\n  ns2.example.net\n',
    ],
    [
      'brackets',
      '[Domain Name]                   EXAMPLE.TEST\n[Registrar]  Example Registrar\n\n[Name Server]                   ns1.example.net\n[Name Server]                   ns2.example.net\n\n[Created on]                    1999/06/11\n[Expires on]                    2027/06/11\n',
    ],
    [
      'digits alone, with a remark',
      'domain:      example.test\nregistrar:   Example Registrar\nnserver:     ns1.example.net\nnserver:     ns2.example.net\ncreated:     19990611 #12345\nexpires:     20270611\n',
    ],
    [
      'the first date is of the domain, later ones of its contacts',
      'domain: example.test\nregistrar: Example Registrar\ncreated: 11.06.1999 00:00:00\nexpire: 11.06.2027\nnserver: ns1.example.net (192.0.2.1)\nnserver: ns2.example.net\n\ncontact: X\nstate: CA\ncreated: 01.01.2010 00:00:00\n',
    ],
  ])('%s', (_, text) => {
    expect(readWhois(text, 'example.test')).toEqual(FACTS);
  });

  test.each([
    ['No match for "EXAMPLE.TEST".\r\n'],
    ['%% NOT FOUND\n'],
    ['% No entries found for query "example.test".\n'],
    ['Domain: example.test\nStatus: free\n'],
    ['Domain example.test is available for registration\n'],
    ['The queried object does not exist: DOMAIN NOT FOUND\n'],
    ['example.test: domain not found\nDomain not found.\n'],
  ])('%j says that there is no such name', (text) => {
    expect(readWhois(text, 'example.test')).toBeNull();
  });

  test.each([
    ['WHOIS LIMIT EXCEEDED - SEE WWW.EXAMPLE/WHOIS FOR DETAILS', 'upstream'],
    ['Too many requests', 'upstream'],
    ['', 'target'],
    ['Welcome to the registry. For your information only.', 'target'],
    ['Domain Name: other.test\nRegistrar: X\nCreation Date: 2020-01-01', 'target'],
    [`${'A'.repeat(60_000)}`, 'target'],
    [`${'\n'.repeat(60_000)}`, 'target'],
    [`${'.'.repeat(60_000)}`, 'target'],
    [`${'- '.repeat(30_000)}`, 'target'],
    [`${'['.repeat(60_000)}`, 'target'],
    [`${':'.repeat(60_000)}`, 'target'],
  ])('an unreadable answer is a failure, never "not registered": %.40j', (text, kind) => {
    const read = () => readWhois(text, 'example.test');
    expect(read).toThrow(expect.objectContaining({ kind }));
    expect(isQuick(() => expect(read).toThrow())).toBe(true);
  });

  test('text of a registry is bounded and inert', () => {
    const text = `Registrar: \u202eevil\u0000\u001b[31m ${'x'.repeat(900)}\nCreation Date: 2020-01-01\n${'Name Server: ns1.example.net\n'.repeat(3)}Name Server: 127.0.0.1\nName Server: <script>\n${Array.from({ length: 500 }, (_, i) => `Status: s${i}`).join('\n')}`;
    const whois = readWhois(text, 'example.test');
    expect(whois?.registrar).toMatch(/^evil\[31m x+$/);
    expect(whois?.registrar?.length).toBe(256);
    expect(whois?.nameServers).toEqual(['ns1.example.net']);
    expect(whois?.status).toHaveLength(50);
  });
});

test.each([
  ['refer:        whois.nic.test\n\ndomain: TEST', 'whois.nic.test'],
  ['whois: WHOIS.NIC.TEST.', 'whois.nic.test'],
  ['whois:\nstatus: ACTIVE', null],
  ['refer: 127.0.0.1', null],
  ['refer: [::1]', null],
  ['refer: whois.nic.test:25', null],
  ['refer: rwhois://whois.nic.test:4321/', null],
  ['refer: localhost', null],
  ['refer: 0x7f.1', null],
  ['refer: a b.test', null],
])('a referral is accepted only when it is a plain name: %j', (text, wanted) => {
  expect(referralOf(readLines(text))).toBe(wanted);
});
