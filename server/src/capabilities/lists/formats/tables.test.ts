import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatIpv4, formatIpv6, parseIndicator } from '#domain/indicator/index.ts';
import { csvList } from './csv.ts';
import { splitCsvLine } from './csv-line.ts';
import { csvRanges } from './csv-ranges.ts';
import type { CsvSpec } from './format-spec.ts';
import { type OpenText, readText, saidOf, TEXT_FORMATS, textsOf } from './text-formats.fixture.ts';

const MD5 = 'd41d8cd98f00b204e9800998ecf8427e';
const SHA1 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';
const SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const OTHER_MD5 = '0'.repeat(32);
const OTHER_SHA1 = '0'.repeat(40);

const csv =
  (spec: Omit<CsvSpec, 'kind'>): OpenText =>
  (sink) =>
    csvList(sink, { kind: 'csv', ...spec });

test.each([
  ['a,b,c', ',', ['a', 'b', 'c']],
  ['a, b ,c', ',', ['a', 'b', 'c']],
  ['a, b,c, d', ', ', ['a', 'b,c', 'd']],
  ['"a","b,c"', ',', ['a', 'b,c']],
  ['"a ""b"" c",d', ',', ['a "b" c', 'd']],
  ['1, "b, c"', ',', ['1', 'b, c']],
  ['5" disk,b', ',', ['5" disk', 'b']],
  ['"a"b,c', ',', ['ab', 'c']],
  ['"",', ',', ['', '']],
  ['', ',', ['']],
  ['a\tb', '\t', ['a', 'b']],
  ['a|b', '|', ['a', 'b']],
  ['"a\nb",c', ',', ['a\nb', 'c']],
  ['"a', ',', null],
  ['a,"b""', ',', null],
] as const)('the record %j with %j is %j', (record, delimiter, cells) => {
  expect(splitCsvLine(record, delimiter)).toEqual(cells);
});

test('cells that are quoted come back as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (cells) => {
      const record = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
      expect(splitCsvLine(record, ',')).toEqual(cells.map((cell) => cell.trim()));
    }),
  );
});

describe('a table', () => {
  test.each([
    ['with the first line as header', { header: 'first', values: ['ip'] }, '# c\nid,IP\n1,1.2.3.4\n# end\n'],
    [
      'with the header in a comment',
      { header: 'comment', values: ['ip'] },
      '# list\n# "id","ip"\n1,1.2.3.4\n',
    ],
    ['without a header', { values: [1] }, 'x,1.2.3.4'],
    ['with columns by name and no word about a header', { values: ['ip'] }, 'id,ip\n1,1.2.3.4'],
    ['with quotes and CRLF', { header: 'first', values: ['ip'] }, '"id","ip"\r\n"1","1.2.3.4"\r\n'],
    ['with `, `', { header: 'first', delimiter: ', ', values: ['ip'] }, 'id, ip\n1, 1.2.3.4'],
    ['with a cell of several lines', { values: [1] }, '"a\n# b\n""c",1.2.3.4'],
  ] as const)('%s', (_, spec, text) => {
    expect(saidOf(csv(spec), text)).toEqual(['1.2.3.4']);
  });

  test.each([
    [
      'a column its header lacks',
      { header: 'first', values: ['ip'] },
      'a,b\n1,2\n3,4',
      ['! unnamedColumn', '! unnamedColumn'],
    ],
    ['an empty cell', { values: [0] }, ',x\n[],x\nnone,x', ['- noCell', '- noCell', '- noCell']],
    ['a line that is too short', { values: [3] }, 'a,b', ['- noCell']],
    [
      'a line of another kind',
      { values: [1], only: { column: 0, values: ['IP'] } },
      'ip,1.2.3.4\nmutex,x',
      ['1.2.3.4', '- otherLine'],
    ],
    [
      'a line with a cell that is left out, in whichever column',
      { values: [0], without: ['Fronted Domain'] },
      'a.com,C2 Domain\nb.com,fronted domain\nc.com,443,Fronted Domain',
      ['a.com', '- otherLine', '- otherLine'],
    ],
    [
      'a stray quote',
      { values: [0] },
      'a.com,x\nb.com,"x\nc.com,y\nd.com,z',
      ['a.com', '! openQuote', 'c.com', 'd.com'],
    ],
    ['a record without end', { values: [0] }, `${'x'.repeat(70_000)}\na.com`, ['! recordTooLong', 'a.com']],
    ['a cell without end', { values: [0] }, `${'x'.repeat(9_000)},y`, ['! cellTooLong']],
  ] as const)('says so of %s', (_, spec, text, said) => {
    expect(saidOf(csv(spec), text)).toEqual(said);
  });

  test('a cell that spans lines is one entry on one line', () => {
    expect(textsOf(readText(csv({ values: [0] }), ['"not one,\r\ncontent:",x\n']))).toEqual([
      'not one, content:',
    ]);
  });

  test('a quote that is never closed costs one line, not the rest of the file', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `host-${i}.example.com,x`);
    const said = saidOf(csv({ values: [0] }), `a.com,"\n${rows.join('\n')}`);
    expect(said.filter((one) => one.startsWith('host-'))).toHaveLength(10_000);
    expect(said.filter((one) => one === '! openQuote')).toHaveLength(1);
  });

  test('an open quote holds back no more than a record', () => {
    const texts: string[] = [];
    const parser = csv({ values: [0] })({
      entry: ({ text }) => texts.push(text),
      unsupported: () => undefined,
      rejected: (reason) => texts.push(reason),
      dataDate: () => undefined,
    });
    parser.write(`a.com,"\n${'b.example.com,x\n'.repeat(5_000)}`);
    expect(texts.length).toBeGreaterThan(4_000);
  });

  test.each([
    ['several addresses', '"1.2.3.4 5.6.7.8;9.9.9.9"', ['1.2.3.4', '5.6.7.8', '9.9.9.9']],
    ['several digests', `"${MD5}, ${OTHER_MD5}"`, [MD5, OTHER_MD5]],
    ['a printed list', `"['a.com', 'b.com']"`, ['a.com', 'b.com']],
    ['a URL with commas', '"http://a.com/x,y z"', ['http://a.com/x,y z']],
    ['a sentence', '"see a.com for more"', ['see a.com for more']],
    ['a defanged name', 'evil [.] com', ['evil [.] com']],
    ['a wildcard', '*.evil.com', ['evil.com']],
  ])('takes what a cell holds: %s', (_, cell, texts) => {
    expect(saidOf(csv({ values: [0] }), cell)).toEqual(texts);
  });

  test.each([
    ['a.com', '/x', 'http://a.com/x'],
    ['a.com', 'x?y', 'http://a.com/x?y'],
    ['https://a.com/', '/x', 'https://a.com/x'],
    ['a.com', '', 'a.com'],
    ['a.com', '/', 'a.com'],
  ])('joins host %j and path %j to %s', (host, path, text) => {
    expect(saidOf(csv({ values: [], url: { host: 0, path: 1 } }), `${host},${path}`)).toEqual([text]);
  });

  test('gives an entry the facts of its row', () => {
    const told = readText(TEXT_FORMATS['csv, every feature'], [
      'a,b,c,host,path,first,last,confidence,reference,family,rank,type\n',
      `${MD5},${SHA1},,,,2024-01-02 03:04:05,1752927088,7.5,"['http://r/1', 'http://r/2']",Foo,3,X\n`,
    ]);
    const facts = {
      firstSeenMs: Date.UTC(2024, 0, 2, 3, 4, 5),
      lastSeenMs: 1_752_927_088_000,
      confidence: 75,
      reference: 'http://r/1',
      family: 'Foo',
      rank: 3,
    };
    expect(told.entries).toEqual([
      { text: MD5, ...facts, siblings: [SHA1] },
      { text: SHA1, ...facts, siblings: [MD5] },
    ]);
  });

  test('leaves out unreadable facts', () => {
    const spec = { values: [0], firstSeen: 1, confidence: 2, rank: 3 } as const;
    expect(readText(csv(spec), ['a.com,never,high,first']).entries).toEqual([{ text: 'a.com' }]);
  });

  test.each([
    ['one of each', [MD5, SHA1, SHA256], { [MD5]: [SHA1, SHA256] }],
    ['two files', [`${MD5} ${OTHER_MD5}`, `${SHA1} ${OTHER_SHA1}`, ''], { [OTHER_MD5]: [OTHER_SHA1] }],
    ['unequal numbers', [`${MD5} ${OTHER_MD5}`, SHA1, ''], { [MD5]: undefined }],
  ])('digests of one file are siblings: %s', (_, cells, siblings) => {
    const spec = { values: [0, 1, 2], siblings: true } as const;
    const { entries } = readText(csv(spec), [cells.join(',')]);
    for (const [text, others] of Object.entries(siblings))
      expect(entries.find((entry) => entry.text === text)?.siblings).toEqual(others);
  });

  test('reads the header of each file of an archive', () => {
    const texts: string[] = [];
    const parser = csv({ header: 'first', values: ['ip'] })({
      entry: ({ text }) => texts.push(text),
      unsupported: () => undefined,
      rejected: () => undefined,
      dataDate: () => undefined,
    });
    parser.member?.('a.csv');
    parser.write('ip,x\n1.1.1.1,2');
    parser.member?.('b.csv');
    parser.write('x,ip\n2,2.2.2.2');
    parser.end();
    expect(texts).toEqual(['1.1.1.1', '2.2.2.2']);
  });
});

describe('ranges by their first and last address', () => {
  const ranges: OpenText = (sink) => csvRanges(sink, { kind: 'csv-ranges', first: 0, last: 1, header: true });
  const coverOf = (line: string) => saidOf(ranges, `first,last\n${line}`);

  test.each([
    ['1.2.3.4,1.2.3.4,x', ['1.2.3.4']],
    ['1.2.3.0,1.2.3.255', ['1.2.3.0/24']],
    ['1.2.3.1,1.2.3.6', ['1.2.3.1', '1.2.3.2/31', '1.2.3.4/31', '1.2.3.6']],
    ['0.0.0.0,255.255.255.255', ['0.0.0.0/0']],
    ['2001:db8::,2001:db8::ffff', ['2001:db8::/112']],
    ['::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['! range']],
    ['2a00::,2a00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2a00::/16']],
    ['1.2.3.9,1.2.3.4', ['! range']],
    ['1.2.3.4,2001:db8::', ['! range']],
    ['1.2.3.4,', ['! range']],
    ['1.2.3.0/24,1.2.4.0/24', ['! range']],
  ])('%s: %j', (line, said) => {
    expect(coverOf(line)).toEqual(said);
  });

  const address4 = fc.nat(0xffffffff);
  const address6 = fc.uint8Array({ minLength: 16, maxLength: 16 });

  test('cover each address once and no other (IPv4)', () => {
    fc.assert(
      fc.property(address4, fc.nat(70_000), (first, size) => {
        const last = Math.min(0xffffffff, first + size);
        let next = first;
        for (const text of coverOf(`${formatIpv4(first)},${formatIpv4(last)}`)) {
          const parsed = parseIndicator(text);
          if (!parsed.ok || (parsed.indicator.kind !== 'ip' && parsed.indicator.kind !== 'cidr'))
            throw new Error(text);
          const { indicator } = parsed;
          if (indicator.version !== 4) throw new Error(text);
          expect(indicator.address).toBe(next);
          next += indicator.kind === 'ip' ? 1 : 2 ** (32 - indicator.bits);
        }
        expect(next).toBe(last + 1);
      }),
    );
  });

  test('are at most 32 for any two addresses, or none, because more are not a network (IPv6)', () => {
    fc.assert(
      fc.property(address6, address6, (a, b) => {
        const [first, last] = Buffer.compare(a, b) <= 0 ? [a, b] : [b, a];
        const cover = coverOf(`${formatIpv6(first)},${formatIpv6(last)}`);
        expect(cover.length).toBeLessThanOrEqual(32);
        if (cover[0] !== '! range') expect(cover.every((text) => parseIndicator(text).ok)).toBe(true);
      }),
    );
  });
});

test.each([
  [`${MD5};Dark Caracal; part 2`, [{ text: MD5, reference: 'Dark Caracal; part 2' }]],
  [`${SHA256}`, [{ text: SHA256 }]],
  [`# ${MD5};example`, []],
])('a digest with a comment, %j: %j', (line, entries) => {
  expect(readText(TEXT_FORMATS['hash-comment'], [line]).entries).toEqual(entries);
});

test('a line that is no digest with a comment is rejected', () => {
  expect(saidOf(TEXT_FORMATS['hash-comment'], 'two words;comment\n;comment')).toEqual([
    '! digestLine',
    '! digestLine',
  ]);
});

test('a section explains the entries after it', () => {
  const text = `# HEAD OF THE FILE
# -----
#
# more of it

# Operation A https://a.com
# second line
a.com
1.2.3.4;65

# Operation B
b.com # trailing
`;
  expect(readText(TEXT_FORMATS.sectioned, [text]).entries).toEqual([
    { text: 'a.com', reference: 'Operation A https://a.com second line' },
    { text: '1.2.3.4', reference: 'Operation A https://a.com second line' },
    { text: 'b.com', reference: 'Operation B' },
  ]);
});

describe('a note for people', () => {
  test.each([
    ['- evil[.]com - registered yesterday', ['evil[.]com']],
    ['see hxxps[:]//evil[.]com/a,b?c=d.', ['hxxps[:]//evil[.]com/a,b?c=d']],
    ['evil(.)com/path and 1.2.3[.]4:443', ['http://evil(.)com/path', '1.2.3[.]4:443']],
    ['user[@]evil[.]com, evil{.}org; (evil[dot]net)', ['user[@]evil[.]com', 'evil{.}org', 'evil[dot]net']],
    [`SHA256 hash: ${SHA256}, (${MD5})`, [SHA256, MD5]],
    ['[text](hxxps[:]//evil[.]com/a)', ['hxxps[:]//evil[.]com/a']],
    ['blob:hxxps[:]//evil[.]com/a', ['hxxps[:]//evil[.]com/a']],
    ['https://www.example.com/report and example.com are references', []],
    ['ns*.evil[.]com <name>.evil[.]com [redacted].evil[.]com', ['- wildcard', '- wildcard', '- wildcard']],
    [`SHA512: ${'ab'.repeat(64)}`, ['- otherDigest']],
  ])('%j: %j', (line, said) => {
    expect(saidOf(TEXT_FORMATS['free-text'], line)).toEqual(said);
  });

  test('is the reference of its entries, and dates them', () => {
    const told = readText(TEXT_FORMATS['free-text'], ['evil[.]com'], 'notes/2025-01-06-IOCs.txt');
    const firstSeenMs = Date.UTC(2025, 0, 6);
    expect(told.entries).toEqual([{ text: 'evil[.]com', reference: '2025-01-06-IOCs.txt', firstSeenMs }]);
    expect(told.dates).toEqual([firstSeenMs]);
    expect(textsOf(told)).toEqual(['evil[.]com']);
  });
});
