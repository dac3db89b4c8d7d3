import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListEntry } from '../list-entry.ts';
import type { ListKind } from '../list-names.ts';
import type { Rendered } from './format.ts';
import { findFormat, formatNames } from './formats.ts';

const entry = (value: string, more: Partial<ListEntry> = {}): ListEntry => ({
  value,
  score: 93,
  family: 'Mirai',
  reason: 'Listed by two sources',
  ...more,
});
const ADDRESSES = ['192.0.2.1', '198.51.100.0/25', '198.51.100.128/25', '2001:db8::1', '2001:db8:1::/48'].map(
  (value) => entry(value),
);
const NAMES = ['bad.example', 'evil.example', 'www.evil.example'].map((value) => entry(value));

function render(
  name: string,
  kind: ListKind,
  entries: readonly ListEntry[] = kind === 'addresses' ? ADDRESSES : NAMES,
  annotate = false,
): Rendered & { readonly lines: readonly string[] } {
  const format = findFormat(name, kind);
  if (format === undefined) throw new Error(`no format ${name}`);
  const label = kind === 'addresses' ? 'ips-all' : 'domains-all';
  const rendered = format.render({ kind, label, entries, annotate, builtAtMs: 1_800_000_000_000 });
  const text = rendered.body.toString();
  expect(text.endsWith('\n') || text === '').toBe(true);
  return { ...rendered, lines: text.split('\n').slice(0, -1) };
}

const MERGED = ['192.0.2.1', '198.51.100.0/24', '2001:db8::1', '2001:db8:1::/48'];

describe('formats for addresses', () => {
  test('text has the entries as they stand in the list', () => {
    const { lines, entries } = render('text', 'addresses');
    expect(lines).toEqual(ADDRESSES.map(({ value }) => value));
    expect(entries).toBe(5);
  });

  test('csv has one column, and with annotations four', () => {
    expect(render('csv', 'addresses').body.toString()).toMatch(/^value\r\n192\.0\.2\.1\r\n/);
    expect(render('csv', 'addresses', ADDRESSES.slice(0, 1), true).body.toString()).toBe(
      'value,score,family,reason\r\n192.0.2.1,93,Mirai,Listed by two sources\r\n',
    );
  });

  test.each(['pf', 'fortinet', 'palo-alto', 'haproxy', 'squid'])(
    '%s has one merged block on each line',
    (name) => {
      const { lines, entries } = render(name, 'addresses');
      expect(lines).toEqual(MERGED);
      expect(entries).toBe(4);
    },
  );

  test('nftables flushes and fills a set for each family', () => {
    expect(render('nftables', 'addresses').lines).toEqual([
      'add table inet assay',
      'add set inet assay ips_all_v4 { type ipv4_addr; flags interval; }',
      'flush set inet assay ips_all_v4',
      'add element inet assay ips_all_v4 {',
      '192.0.2.1,',
      '198.51.100.0/24,',
      '}',
      'add set inet assay ips_all_v6 { type ipv6_addr; flags interval; }',
      'flush set inet assay ips_all_v6',
      'add element inet assay ips_all_v6 {',
      '2001:db8::1,',
      '2001:db8:1::/48,',
      '}',
    ]);
  });

  test('ipset fills a set beside the one in use and swaps it in', () => {
    const { lines, entries } = render('ipset', 'addresses');
    expect(lines.slice(0, 7)).toEqual([
      'create assay-ips-all-v4 hash:net family inet hashsize 1024 maxelem 4194304 -exist',
      'create assay-ips-all-v4-x hash:net family inet hashsize 1024 maxelem 4194304 -exist',
      'flush assay-ips-all-v4-x',
      'add assay-ips-all-v4-x 192.0.2.1',
      'add assay-ips-all-v4-x 198.51.100.0/24',
      'swap assay-ips-all-v4-x assay-ips-all-v4',
      'destroy assay-ips-all-v4-x',
    ]);
    expect(entries).toBe(4);
    expect(render('ipset', 'addresses', [entry('::/0')])).toMatchObject({ entries: 0, left: 1 });
  });

  test('iptables has IPv4 and ip6tables IPv6, and each counts the other as left out', () => {
    expect(render('iptables', 'addresses')).toMatchObject({
      entries: 2,
      left: 2,
      lines: [
        '*filter',
        ':ASSAY-IPS-ALL - [0:0]',
        '-A ASSAY-IPS-ALL -s 192.0.2.1 -j DROP',
        '-A ASSAY-IPS-ALL -s 198.51.100.0/24 -j DROP',
        'COMMIT',
      ],
    });
    expect(render('ip6tables', 'addresses').lines[2]).toBe('-A ASSAY-IPS-ALL -s 2001:db8::1 -j DROP');
  });

  test('a long iptables list has a chain for each first octet, and every chain is declared', () => {
    const many = Array.from({ length: 5_000 }, (_, i) =>
      entry(`${10 + (i % 50)}.${i % 199}.${(i * 7) % 251}.${(i * 3) % 250}`),
    );
    const { lines, entries } = render('iptables', 'addresses', many);
    const rules = lines.filter((line) => line.startsWith('-A '));
    const jumps = rules.filter((rule) => rule.startsWith('-A ASSAY-IPS-ALL '));
    expect(jumps).toHaveLength(50);
    expect(jumps).toContain('-A ASSAY-IPS-ALL -s 10.0.0.0/8 -j ASSAY-ALL-a');
    expect(rules.filter((rule) => rule.endsWith('-j DROP'))).toHaveLength(entries);
    const declared = new Set(lines.flatMap((line) => /^:(\S+) /.exec(line)?.[1] ?? []));
    for (const chain of declared) expect(chain.length).toBeLessThanOrEqual(28);
    for (const rule of rules) {
      const target = /-j (\S+)$/.exec(rule)?.[1] ?? '';
      expect(target === 'DROP' || declared.has(target)).toBe(true);
    }
  });

  test('mikrotik empties its list and adds to it, in each family', () => {
    expect(render('mikrotik', 'addresses', ADDRESSES, true).lines).toEqual([
      '/ip firewall address-list',
      'remove [find list=assay-ips-all]',
      'add list=assay-ips-all address=192.0.2.1 comment="score 93, family Mirai, Listed by two sources"',
      'add list=assay-ips-all address=198.51.100.0/24 comment="score 93, family Mirai, Listed by two sources"',
      '/ipv6 firewall address-list',
      'remove [find list=assay-ips-all]',
      'add list=assay-ips-all address=2001:db8::1 comment="score 93, family Mirai, Listed by two sources"',
      'add list=assay-ips-all address=2001:db8:1::/48 comment="score 93, family Mirai, Listed by two sources"',
    ]);
  });

  test('cisco writes hosts, masks and prefixes', () => {
    expect(render('cisco', 'addresses').lines).toEqual([
      'object-group network ASSAY-IPS-ALL-V4',
      ' network-object host 192.0.2.1',
      ' network-object 198.51.100.0 255.255.255.0',
      'object-group network ASSAY-IPS-ALL-V6',
      ' network-object host 2001:db8::1',
      ' network-object 2001:db8:1::/48',
    ]);
  });

  test('juniper replaces a prefix list for each family', () => {
    expect(render('juniper', 'addresses').lines).toEqual([
      'policy-options {',
      '    replace: prefix-list assay-ips-all-v4 {',
      '        192.0.2.1/32;',
      '        198.51.100.0/24;',
      '    }',
      '    replace: prefix-list assay-ips-all-v6 {',
      '        2001:db8::1/128;',
      '        2001:db8:1::/48;',
      '    }',
      '}',
    ]);
  });

  test('suricata has the address, a category and a score from 1 to 127', () => {
    const scored = [entry('192.0.2.1', { score: 0 }), entry('192.0.2.9', { score: 100 })];
    expect(render('suricata', 'addresses', scored).lines).toEqual(['192.0.2.1,1,1', '192.0.2.9,1,100']);
  });

  test('zeek tells addresses from networks', () => {
    expect(render('zeek', 'addresses').lines).toEqual([
      '#fields\tindicator\tindicator_type\tmeta.source\tmeta.desc',
      '192.0.2.1\tIntel::ADDR\tassay-ips-all\t-',
      '198.51.100.0/24\tIntel::SUBNET\tassay-ips-all\t-',
      '2001:db8::1\tIntel::ADDR\tassay-ips-all\t-',
      '2001:db8:1::/48\tIntel::SUBNET\tassay-ips-all\t-',
    ]);
  });
});

describe('formats for names', () => {
  test.each([
    ['hosts', '0.0.0.0 bad.example'],
    ['unbound', 'local-zone: "bad.example." always_nxdomain'],
    ['dnsmasq', 'local=/bad.example/'],
    ['adblock', '||bad.example^'],
    ['rbldnsd', '.bad.example'],
    ['haproxy', 'bad.example'],
    ['fortinet', 'bad.example'],
    ['suricata', 'YmFkLmV4YW1wbGU='],
    ['zeek', 'bad.example\tIntel::DOMAIN\tassay-domains-all\t-'],
  ])('%s has a line for each name', (name, line) => {
    const { lines, entries } = render(name, 'names');
    expect(lines).toContain(line);
    expect(entries).toBe(3);
  });

  test('squid has no name beside its parent', () => {
    expect(render('squid', 'names')).toMatchObject({
      lines: ['.bad.example', '.evil.example'],
      entries: 2,
      left: 0,
    });
  });

  test('palo-alto has the name and its subdomains', () => {
    expect(render('palo-alto', 'names').lines.slice(0, 2)).toEqual(['bad.example', '*.bad.example']);
  });

  test('rpz is a zone with a serial number that rises with the time of the build', () => {
    expect(render('rpz', 'names').lines.slice(0, 5)).toEqual([
      '$TTL 300',
      '@ SOA localhost. root.localhost. 1800000000 600 60 604800 60',
      '@ NS localhost.',
      'bad.example CNAME .',
      '*.bad.example CNAME .',
    ]);
  });

  test('a name that is too long for an rpz zone is left out and counted', () => {
    const label = 'a'.repeat(60);
    const longest = `${label}.${label}.${label}.${'b'.repeat(37)}`;
    expect(longest).toHaveLength(220);
    expect(render('rpz', 'names', [entry(longest), entry(`b${longest}`)])).toMatchObject({
      entries: 1,
      left: 1,
    });
    expect(render('hosts', 'names', [entry(`b${longest}`)])).toMatchObject({ entries: 1, left: 0 });
  });

  test.each([
    'a b.example',
    'x"y.example',
    'a\nb.example',
    '-x.example',
    'x..example',
    'ü.example',
    `${'a'.repeat(64)}.example`,
  ])('what is no plain name is left out and counted: %j', (value) => {
    for (const name of formatNames('names').filter((each) => each !== 'text' && each !== 'csv'))
      expect(render(name, 'names', [entry(value)])).toMatchObject({ entries: 0, left: 1 });
  });
});

describe('annotations', () => {
  const hostile = fc.string({ unit: 'binary', maxLength: 300 });
  const cases = (['addresses', 'names'] as const).flatMap((kind) =>
    formatNames(kind).map((name) => [name, kind] as const),
  );

  test.each(cases)(
    'hostile text in %s of %s adds no line and no quote, and changes no value',
    (name, kind) => {
      const values = kind === 'addresses' ? ADDRESSES : NAMES;
      const tame = render(name, kind, values, true);
      fc.assert(
        fc.property(hostile, hostile, (reason, family) => {
          const wild = render(
            name,
            kind,
            values.map((each) => ({ ...each, reason, family })),
            true,
          );
          expect(wild.entries).toBe(tame.entries);
          expect(wild.lines).toHaveLength(tame.lines.length);
          if (name === 'csv') return;
          // Apart from the annotation itself, each line is the same as in the file without hostile text.
          const shape = (lines: readonly string[]) =>
            lines.map((line) => line.replace(/score 93[A-Za-z0-9 .,:()/_+?-]*/, 'NOTE'));
          expect(shape(wild.lines).map((line) => line.trimEnd())).toEqual(
            shape(tame.lines).map((line) => line.trimEnd()),
          );
        }),
        { numRuns: 40 },
      );
    },
  );

  test('a juniper comment cannot be closed and a mikrotik string cannot be ended by what a feed says', () => {
    const wild = ADDRESSES.map((each) => ({ ...each, reason: '*/ } delete; "\\" $(reboot) `x` // --x' }));
    expect(render('juniper', 'addresses', wild.slice(0, 1), true).lines[2]).toBe(
      '        /* score 93, family Mirai, ?/ ? delete? ??? ?(reboot) ?x? / -x */ 192.0.2.1/32;',
    );
    expect(render('mikrotik', 'addresses', wild.slice(0, 1), true).lines[2]?.match(/"/g)).toHaveLength(2);
  });
});
