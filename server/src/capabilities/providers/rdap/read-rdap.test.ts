import { describe, expect, test } from 'vitest';
import { type Ip, parseIndicator } from '#domain/indicator/index.ts';
import { isQuick } from '#test/growth.ts';
import { rdapDomain, rdapNetwork } from '#test/peers/rdap-peer.ts';
import { Whois } from '../contract-hosts.ts';
import { readRdapDomain, readRdapNetwork } from './read-rdap.ts';

const ip = (text: string): Ip => {
  const parsed = parseIndicator(text);
  if (!parsed.ok || parsed.indicator.kind !== 'ip') throw new Error(text);
  return parsed.indicator;
};

test('a domain object becomes the whois of the contract', () => {
  expect(readRdapDomain(rdapDomain('example.com'), 'example.com')).toEqual({
    registrar: 'Example Registrar, Inc.',
    registrant: 'Example Org',
    createdDate: '1999-06-11T04:00:00.000Z',
    updatedDate: '2024-02-03T04:05:06.000Z',
    expiresDate: '2027-06-11T04:00:00.000Z',
    nameServers: ['ns1.example.net', 'ns2.example.net'],
    status: ['client transfer prohibited'],
    handle: 'D1-TEST',
    source: 'rdap',
  });
});

test('a network object becomes one without a registrar, with its range', () => {
  expect(readRdapNetwork(rdapNetwork('198.51.100.0', '198.51.100.255'), ip('198.51.100.7'))).toEqual({
    registrar: null,
    registrant: 'Example Networks BV',
    createdDate: '2010-01-02T05:00:00.000Z',
    updatedDate: '2020-01-02T00:00:00.000Z',
    expiresDate: null,
    nameServers: [],
    status: ['active'],
    handle: 'NET-1',
    network: { name: 'EXAMPLE-NET', range: '198.51.100.0 - 198.51.100.255', country: 'NL' },
    source: 'rdap',
  });
});

test('redacted fields are null and never guessed', () => {
  const bare = { objectClassName: 'domain', ldhName: 'example.com' };
  expect(readRdapDomain(bare, 'example.com')).toEqual({
    registrar: null,
    registrant: null,
    createdDate: null,
    updatedDate: null,
    expiresDate: null,
    nameServers: [],
    status: [],
    handle: null,
    source: 'rdap',
  });
});

test('an answer about another object is refused', () => {
  const failure = expect.objectContaining({ kind: 'upstream' });
  expect(() => readRdapDomain(rdapDomain('example.net'), 'example.com')).toThrow(failure);
  expect(() => readRdapDomain(rdapNetwork('192.0.2.0', '192.0.2.255'), 'example.com')).toThrow(failure);
  expect(() => readRdapNetwork(rdapNetwork('192.0.2.0', '192.0.2.255'), ip('198.51.100.7'))).toThrow(failure);
  expect(() => readRdapNetwork(rdapNetwork('2001:db8::', '2001:db8::ffff'), ip('198.51.100.7'))).toThrow(
    failure,
  );
  for (const json of [null, undefined, 7, 'x', [], [rdapDomain('example.com')], true])
    expect(() => readRdapDomain(json, 'example.com')).toThrow(failure);
});

describe('a hostile registry', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
  const entity = (value: unknown) => ({
    roles: ['registrar'],
    vcardArray: ['vcard', [['fn', {}, 'text', value]]],
  });
  test.each([
    ['texts in place of lists', { events: 'x', entities: 'x', nameservers: 'x', status: 'x', handle: 7 }],
    [
      'numbers and null',
      { events: [null, 7], entities: [null, 7], nameservers: [null, 7], status: [null, 7] },
    ],
    ['nothing but depth', { events: deep, entities: deep, nameservers: deep, status: deep, handle: deep }],
    ['a card of another shape', { entities: [{ roles: ['registrar'], vcardArray: { 1: [['fn']] } }] }],
    ['a hundred thousand entities', { entities: Array.from({ length: 100_000 }, () => entity('x')) }],
    [
      'a hundred thousand name servers',
      { nameservers: Array.from({ length: 100_000 }, (_, i) => ({ ldhName: `n${i}.example.net` })) },
    ],
    [
      'a hundred thousand events',
      {
        events: Array.from({ length: 100_000 }, () => ({
          eventAction: 'registration',
          eventDate: '2020-01-01',
        })),
      },
    ],
    [
      'prototype names',
      JSON.parse(
        '{"__proto__": {"handle": "x"}, "entities": [{"__proto__": {"roles": ["registrar"]}}]}',
      ) as object,
    ],
  ])('%s: bounded, in the form of the contract, and quick', (_, more) => {
    const read = () => readRdapDomain({ ...rdapDomain('example.com'), ...more }, 'example.com');
    const whois = read();
    expect(isQuick(read)).toBe(true);
    expect(Whois.parse(whois)).toEqual(whois);
    expect(({} as { handle?: string }).handle).toBeUndefined();
  });

  test('scripts stay text, and invisible characters are removed', () => {
    const json = rdapDomain('example.com', {
      entities: [
        entity('\u202e<script>alert(1)</script>\u0000\u200b\u001b[2J'),
        { roles: ['registrant'], vcardArray: ['vcard', [['org', {}, 'text', ['x'.repeat(10_000)]]]] },
      ],
      nameservers: [
        { ldhName: 'ns1.example.net' },
        { ldhName: '127.0.0.1' },
        { ldhName: 'a b' },
        { ldhName: 'x\u0000.example.net' },
        { ldhName: '../../etc' },
      ],
      status: ['ok', '\u202e\u0000', `${'y'.repeat(9_000)}`],
    });
    const whois = readRdapDomain(json, 'example.com');
    expect(whois.registrar).toBe('<script>alert(1)</script>[2J');
    expect(whois.registrant).toBe('x'.repeat(256));
    expect(whois.nameServers).toEqual(['ns1.example.net']);
    expect(whois.status).toEqual(['ok', 'y'.repeat(256)]);
  });
});
