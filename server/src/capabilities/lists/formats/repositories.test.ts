import { describe, expect, test } from 'vitest';
import { runFormat, runMembers, textsOf } from '#test/run-format.ts';
import { wantsMember } from './open-format.ts';

const member = (path: string, text: string) => ({ path, pieces: [text] });

describe('maltrail', () => {
  const TRAILS = `# Copyright (c) somebody

# Aliases: bad, worse

# Reference: https://r.example/1
# Reference: https://r.example/2

192.0.2.1:443
evil.example.com   # a comment
 http://192.0.2.2/a#b
evil.example.com/panel/login.php
*.wild.example.com
[2001:db8::1]:80
198.51.100.0/24

# BANNER_0_HASH-HOST=abc

found.example.com

# Generic

/gate.php?id=
^evil[0-9]+\\.example\\.com$`;

  test('entries, their family and their reference', () => {
    const run = runMembers({ kind: 'maltrail', folder: 'malware' }, [
      member('static/malware/emotet.txt', TRAILS),
    ]);
    const about = { family: 'emotet', reference: 'https://r.example/1' };
    expect(run.entries).toEqual([
      { text: '192.0.2.1:443', ...about },
      { text: 'evil.example.com', ...about },
      { text: 'http://192.0.2.2/a#b', ...about },
      { text: 'http://evil.example.com/panel/login.php', ...about },
      { text: 'wild.example.com', ...about },
      { text: '[2001:db8::1]:80', ...about },
      { text: '198.51.100.0/24', ...about },
      { text: 'found.example.com', family: 'emotet', reference: 'BANNER_0_HASH-HOST=abc' },
    ]);
    expect(run.unsupported.map(([, example]) => example)).toEqual([
      '/gate.php?id=',
      '^evil[0-9]+\\.example\\.com$',
    ]);
    expect(run.rejected).toEqual([]);
  });

  const ARCHIVE = [
    member('static/malware/a.txt', '# Reference: r\na.example.com'),
    member('static/malware/b.txt', 'b.example.com'),
    member('static/malicious/c.txt', 'c.example.com\n'),
    member('static/suspicious/d.txt', 'd.example.com\n'),
    member(
      'static/mass_scanner.txt',
      '# Reference: https://report.example.com\n192.0.2.2\n192.0.2.1 # scanner.example.com\n192.0.2.3 # (unknown)\n',
    ),
    member('static/mass_scanner_cidr.txt', '192.0.2.0/24 # scanner.example.com\n'),
    member('README.md', 'not.example.com\n'),
  ];
  test.each([
    [
      'malware',
      [
        { text: 'a.example.com', family: 'a', reference: 'r' },
        { text: 'b.example.com', family: 'b' },
      ],
    ],
    ['malicious', [{ text: 'c.example.com', family: 'c' }]],
    ['suspicious', [{ text: 'd.example.com' }]],
    ['mass_scanner', [{ text: '192.0.2.1', reference: 'scanner.example.com' }]],
  ] as const)('the folder %s is a list of its own', (folder, entries) => {
    const spec = { kind: 'maltrail', folder } as const;
    expect(runMembers(spec, ARCHIVE).entries).toEqual(entries);
    expect(
      runMembers(
        spec,
        ARCHIVE.filter(({ path }) => wantsMember(spec, path)),
      ).entries,
    ).toEqual(entries);
  });

  test('a scanner with a name is listed; one that nobody names and the network around it are not', () => {
    const { unsupported, rejected } = runMembers({ kind: 'maltrail', folder: 'mass_scanner' }, ARCHIVE);
    expect([unsupported.length, rejected.length]).toEqual([3, 0]);
  });
});

describe('ESET', () => {
  const md5 = (c: string) => c.repeat(32);
  const sha1 = (c: string) => c.repeat(40);
  const sha256 = (c: string) => c.repeat(64);
  const lists = (a: readonly string[], b: readonly string[], c: readonly string[]) => [
    member('x/samples.md5', `${a.map(md5).join('\n')}\n`),
    member('x/samples.sha1', `${b.map(sha1).join('\r\n')}\r\n`),
    member('x/samples.sha256', c.map(sha256).join('\n')),
  ];
  const siblings = (members: readonly ReturnType<typeof member>[]) =>
    runMembers({ kind: 'eset' }, members).entries.map((entry) => entry.siblings ?? null);

  test('the same line of the three lists is the same file', () => {
    const run = runMembers({ kind: 'eset' }, lists(['a', 'b'], ['d', 'c'], ['f', 'e']));
    expect(run.entries[0]).toEqual({ text: md5('a'), family: 'x', siblings: [sha1('d'), sha256('f')] });
    expect(run.entries[3]).toEqual({ text: sha1('c'), family: 'x', siblings: [md5('b'), sha256('e')] });
    expect(run.entries).toHaveLength(6);
  });

  test('lists of different lengths, or each sorted on its own, give no siblings', () => {
    expect(siblings(lists(['a'], ['d', 'c'], ['f', 'e'])).every((each) => each === null)).toBe(true);
    expect(siblings(lists(['a', 'b'], ['c', 'd'], ['f', 'e'])).every((each) => each === null)).toBe(true);
    expect(siblings(lists(['a'], ['b'], ['c'])).every((each) => each?.length === 2)).toBe(true);
  });

  test('two campaigns do not mix, and events are read between them', () => {
    const event = member(
      'x/misp-event.json',
      '{"Event": {"Attribute": [{"type": "domain", "value": "a.example.com"}]}}',
    );
    const run = runMembers({ kind: 'eset' }, [
      member('x/samples.md5', md5('a')),
      event,
      member('y/samples.sha1', sha1('b')),
      member('y/README.adoc', 'c.example.com'),
    ]);
    expect(run.entries).toEqual([
      { text: md5('a'), family: 'x' },
      { text: 'a.example.com' },
      { text: sha1('b'), family: 'y' },
    ]);
  });
});

describe('Markdown digests', () => {
  const digest = 'a'.repeat(32);
  test('a row gives its digest, family and date; the file name stands in for the family', () => {
    const text = `|Hash|Type|Family|First_Seen|Name|
|:--|:--|:--|:--|:--|
|[${digest}](https://x.example/${digest})|EXE|wiper|2018-12-23 16:19:02|a|b.exe|
|${'B'.repeat(64)}|EXE|||${'c'.repeat(40)}.bin|
|nothing|here|
MD5:
${'d'.repeat(32)}
c2.example.com`;
    const run = runMembers({ kind: 'markdown-digests' }, [member('Some Group/Some Group_hash.md', text)]);
    expect(run.entries).toEqual([
      { text: digest, family: 'wiper', firstSeenMs: Date.UTC(2018, 11, 23, 16, 19, 2) },
      { text: 'B'.repeat(64), family: 'Some Group' },
      { text: 'd'.repeat(32), family: 'Some Group' },
      { text: 'c2.example.com', family: 'Some Group' },
    ]);
    expect([run.rejected.length, run.unsupported.length]).toEqual([1, 1]);
  });
});

describe('stalkerware', () => {
  test('websites, places of distribution and servers are listed, packages and certificates are not', () => {
    const text = `- name: SpyApp
  names:
  - Spy
  type: stalkerware
  packages:
  - com.spy
  certificates:
  - ABCDEF
  websites:
  - spy.example.com
  distribution:
    - "get.example.com"  # get.example.com/a.apk
  c2:
    ips:
    - 192.0.2.1
    domains:
    - 'c2.example.com'
- name : Other
  websites:
  - other.example.com
what is this`;
    const run = runFormat({ kind: 'stalkerware-yaml' }, text);
    expect(run.entries).toEqual([
      { text: 'spy.example.com', family: 'SpyApp' },
      { text: 'get.example.com', family: 'SpyApp' },
      { text: '192.0.2.1', family: 'SpyApp' },
      { text: 'c2.example.com', family: 'SpyApp' },
      { text: 'other.example.com', family: 'Other' },
    ]);
    expect([run.unsupported.length, run.rejected.length]).toEqual([2, 1]);
  });

  test('texts of all formats keep their order', () => {
    expect(
      textsOf(runFormat({ kind: 'stalkerware-yaml' }, '- name: A\n  websites:\n  - b\n  - a\n')),
    ).toEqual(['b', 'a']);
  });
});

describe('lines built to be slow are read in time', () => {
  const LINES = [
    ' '.repeat(8_000),
    `# Reference:${' '.repeat(8_000)}\u2028x`,
    `a${' #'.repeat(4_000)}\u2028`,
    `- name: ${' '.repeat(8_000)}\u2028x`,
    `|${'['.repeat(8_000)}`,
  ];
  test.each([
    { kind: 'stalkerware-yaml' },
    { kind: 'maltrail', folder: 'malware' },
    { kind: 'markdown-digests' },
    { kind: 'eset' },
    { kind: 'ndjson', fields: { values: ['a'] } },
  ] as const)('$kind', (spec) => {
    const start = process.cpuUsage();
    runFormat(
      spec,
      Array.from({ length: 40 }, (_, i) => `${LINES[i % LINES.length]}\n`),
    );
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
  });
});
