import type { FormatSpec } from '#capabilities/lists/index.ts';

export type FuzzTarget = {
  readonly spec: FormatSpec;
  readonly tokens: readonly string[];
  readonly paths?: readonly string[];
};

const DIGEST = 'd41d8cd98f00b204e9800998ecf8427e';
const JSON_TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\u0041',
  '\\ud83d',
  'null',
  'true',
  '1e9',
  '{"a":[',
  '"list":',
  '"type":',
  '"values":',
];
const CSV_TOKENS = [
  ',',
  '""',
  '"',
  '"a,b"',
  ';',
  '\t',
  '# id,ioc,first_seen',
  '192.0.2.1',
  DIGEST,
  "['a', 'b']",
];

/** Every kind of FormatSpec; the mapped type makes a missing kind a compile error. */
export const TARGETS: { readonly [Kind in FormatSpec['kind']]: readonly FuzzTarget[] } = {
  plain: [
    {
      spec: { kind: 'plain' },
      tokens: ['192.0.2.1', '192.0.2.0/24', 'a.example.com', ' # ', '\t', '0.0.0.0 '],
    },
    { spec: { kind: 'plain', entries: 'asn' }, tokens: ['AS64500', ' # x', '64500'] },
    { spec: { kind: 'plain', schemelessUrls: true }, tokens: ['a.example.com/x', '?', '//'] },
  ],
  hosts: [
    {
      spec: { kind: 'hosts' },
      tokens: ['0.0.0.0 ', '127.0.0.1\t', '::1 ', 'localhost', ' a.example.com', '#'],
    },
  ],
  adblock: [
    {
      spec: { kind: 'adblock' },
      tokens: ['||', '^', '$all', '@@', '##', '$domain=', '/', '*', '!', '[Adblock Plus]'],
    },
  ],
  ublacklist: [
    { spec: { kind: 'ublacklist' }, tokens: ['*://', '*.', '/*', '@', '/regex/', 'a.example.com'] },
  ],
  dnsmasq: [
    { spec: { kind: 'dnsmasq' }, tokens: ['address=/', 'server=/', 'local=/', '/0.0.0.0', '/#', '//', '#'] },
  ],
  unbound: [
    {
      spec: { kind: 'unbound' },
      tokens: ['local-zone: "', '" always_nxdomain', 'local-data:', '"', 'server:'],
    },
  ],
  rpz: [
    {
      spec: { kind: 'rpz' },
      tokens: ['CNAME .', 'CNAME *.', ' IN ', '$TTL 30', '@ SOA ', '32.1.2.0.192.rpz-ip', '(', ')', ';'],
    },
  ],
  bind: [
    {
      spec: { kind: 'bind' },
      tokens: ['zone "', '" { type master;', 'file "null"; };', '{', '}', '/*', '*/', '//'],
    },
  ],
  suricata: [
    {
      spec: { kind: 'suricata' },
      tokens: [
        'alert tls ',
        ' any -> ',
        '(msg:"',
        'tls.sni; ',
        'content:"',
        '|2e|',
        'sid:1;)',
        '[192.0.2.1,',
        '!',
        '\\;',
        '\\"',
      ],
    },
  ],
  csv: [
    {
      spec: {
        kind: 'csv',
        header: 'comment',
        values: ['ioc', 1],
        firstSeen: 'first_seen',
        confidence: 2,
        siblings: true,
      },
      tokens: CSV_TOKENS,
    },
    {
      spec: { kind: 'csv', delimiter: ', ', header: 'none', values: [0, 1], entries: 'any', reference: 3 },
      tokens: CSV_TOKENS,
    },
    {
      spec: { kind: 'csv', delimiter: '|', header: 'first', values: [], url: { host: 'host', path: 'path' } },
      tokens: CSV_TOKENS,
    },
    {
      spec: {
        kind: 'csv',
        header: 'first',
        values: ['host'],
        only: { column: 'path', values: ['a'] },
        rank: 0,
      },
      tokens: CSV_TOKENS,
    },
  ],
  'csv-ranges': [
    {
      spec: { kind: 'csv-ranges', first: 0, last: 1 },
      tokens: [...CSV_TOKENS, '0.0.0.0', '255.255.255.255', '::', 'ffff::', '2001:db8::1'],
    },
  ],
  ndjson: [
    {
      spec: { kind: 'ndjson', fields: { values: ['cidr', 'a.b'], reference: 'x', siblings: true } },
      tokens: [...JSON_TOKENS, '\n', '{"cidr":"192.0.2.0/24"}'],
    },
  ],
  json: [
    { spec: { kind: 'json', each: ['[*]', '*[*]', 'a[*].b'] }, tokens: JSON_TOKENS },
    {
      spec: {
        kind: 'json',
        each: ['list[*]', '[*]', 'regions[*].cidrs[*]'],
        fields: {
          values: ['cidr', 'hash.md5', 'hash.sha1'],
          siblings: true,
          firstSeen: 'first',
          confidence: 'c',
          family: 'f',
          only: { field: 'type', values: ['x'] },
        },
      },
      tokens: [...JSON_TOKENS, '"cidr":', '"hash":'],
    },
    {
      spec: { kind: 'json', each: ['**', '', '[*][*]', '.a..b'], schemelessUrls: true },
      tokens: JSON_TOKENS,
    },
  ],
  stix: [
    {
      spec: { kind: 'stix' },
      tokens: [
        ...JSON_TOKENS,
        '"objects":[',
        '"indicator"',
        '"pattern":',
        "[domain-name:value = '",
        "']",
        ' AND ',
        ' OR ',
        ' FOLLOWEDBY ',
        " IN ('a','b')",
        "file:hashes.'SHA-256'",
        "\\\\'",
        'NOT ',
      ],
    },
  ],
  'misp-warninglist': [
    {
      spec: { kind: 'misp-warninglist' },
      tokens: [...JSON_TOKENS, '"cidr"', '"regex"', '"version":20260820'],
    },
  ],
  'misp-feed': [
    {
      spec: { kind: 'misp-feed' },
      tokens: [
        ...JSON_TOKENS,
        '"Event":',
        '"Attribute":[',
        '"Object":[',
        '"ip-dst|port"',
        '"value":"a|b"',
        '"to_ids":true',
      ],
    },
    {
      spec: { kind: 'misp-feed', toIdsOnly: true },
      tokens: [...JSON_TOKENS, '"response":[', '"deleted":true', '"domain|ip"'],
    },
  ],
  'misp-galaxy': [
    { spec: { kind: 'misp-galaxy' }, tokens: [...JSON_TOKENS, '"value":', '"meta":', '"synonyms":['] },
  ],
  'hash-comment': [{ spec: { kind: 'hash-comment' }, tokens: [DIGEST, ';', '; ', '#'] }],
  sectioned: [
    {
      spec: { kind: 'sectioned' },
      tokens: ['# ', '#', '\n\n', 'a.example.com', '192.0.2.1', 'https://x.example/'],
    },
  ],
  maltrail: [
    {
      spec: { kind: 'maltrail', folder: 'malware' },
      tokens: [
        '# Reference: ',
        '# Aliases: ',
        '/a.php',
        'a.example.com/x',
        '192.0.2.1:443',
        '[0-9]+',
        ' # ',
        '# TITLE-HOST=',
      ],
      paths: ['static/malware/a.txt', 'static/malicious/b.txt', 'x'],
    },
    {
      spec: { kind: 'maltrail', folder: 'mass_scanner' },
      tokens: ['192.0.2.1 # x', '192.0.2.0/24'],
      paths: ['static/mass_scanner.txt', 'static/mass_scanner_cidr.txt'],
    },
  ],
  'markdown-digests': [
    {
      spec: { kind: 'markdown-digests' },
      tokens: [
        '|',
        `[${DIGEST}](https://x/)`,
        '|Hash|Family|First_Seen|',
        '|:--|',
        '2018-12-23 16:19:02',
        DIGEST,
      ],
      paths: ['A b/A b_hash.md', '.md', 'a/b.md'],
    },
  ],
  eset: [
    {
      spec: { kind: 'eset' },
      tokens: [...JSON_TOKENS, DIGEST, '\n', '# x'],
      paths: ['x/samples.md5', 'x/samples.sha1', 'x/samples.sha256', 'x/event.json', 'samples.md5', 'README'],
    },
  ],
  'stalkerware-yaml': [
    {
      spec: { kind: 'stalkerware-yaml' },
      tokens: ['- name: ', '  websites:', '  - ', '    ips:', '  c2:', ' # ', "'", '"', '  packages:'],
    },
  ],
  'free-text': [
    {
      spec: { kind: 'free-text' },
      tokens: [
        'hxxp://',
        '[.]',
        '(dot)',
        '[@]',
        DIGEST,
        'a[.]example[.]com',
        '192[.]0[.]2[.]1',
        '<',
        '>',
        '\u201c',
      ],
    },
  ],
};
