import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeMmdb } from '#test/mmdb.ts';
import { openAsnTable } from './asn-table.ts';
import { compileReference, type ReferenceKind } from './compile-reference.ts';
import { readFileBytes } from './read-file-bytes.ts';
import { RefusedFile } from './refused-file.ts';

const CITY = makeMmdb({
  '81.2.69.0/24': {
    country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
    city: { names: { en: 'London' } },
  },
  '2a00::/16': { country: { iso_code: 'DE' } },
});
const ASN = makeMmdb(
  {
    '8.8.8.0/24': { autonomous_system_number: 15_169, autonomous_system_organization: 'Google LLC' },
    '2001:4860::/32': { autonomous_system_number: 15_169 },
    '1.1.1.0/24': { note: 'nobody' },
  },
  { type: 'Test-ASN' },
);
const BUNDLE = JSON.stringify({ type: 'bundle', objects: [] });

async function refusal(kind: ReferenceKind, ...files: readonly (Uint8Array | string)[]): Promise<string> {
  try {
    const parts = [];
    for (const [at, file] of files.entries())
      parts.push({ label: `file-${at}`, bytes: await readFileBytes(`file-${at}`, Buffer.from(file)) });
    compileReference(kind, parts);
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedFile);
    return (error as Error).message;
  }
  throw new Error('The file was taken.');
}

const compile = (kind: ReferenceKind, ...files: readonly (Uint8Array | string)[]) =>
  compileReference(
    kind,
    files.map((file, at) => ({ label: `file-${at}`, bytes: Buffer.from(file) })),
  );

describe('accepted files', () => {
  test('a city file, with the date that it declares', () => {
    const { details, dataAtMs, name } = compile('geo', CITY);
    expect(details).toEqual({ networks: 2, records: 2, recordsWithCity: 1 });
    expect([dataAtMs, name]).toEqual([1_780_000_000_000, 'Test-City']);
  });

  test('a MaxMind file of networks and a table of ranges become the same table', () => {
    const csv =
      '8.8.8.0,8.8.8.255,15169,Google LLC\n2001:4860::,2001:4860:ffff:ffff:ffff:ffff:ffff:ffff,15169,AS15169\n';
    expect(Buffer.from(compile('asn', ASN).content)).toEqual(Buffer.from(compile('asn', csv).content));
    expect(compile('asn', ASN).details).toEqual({ ranges4: 1, ranges6: 1, systems: 1 });
  });

  test('a heading, comments, quotes, empty lines and unannounced space are skipped', () => {
    const lines = [
      'start,end,asn,organisation',
      '# a comment',
      '',
      '1.0.0.0,1.0.0.255,13335,"Cloudflare, ""the"" Inc."',
      '"1.0.4.0","1.0.7.255","38803","Gtelecom"\r',
      '2.0.0.0,2.0.0.255,0,Not routed',
      '3.0.0.0,3.0.0.255,64500,',
    ];
    const { content, details } = compile('asn', lines.join('\n'));
    const table = openAsnTable(content);
    expect(details).toMatchObject({ ranges4: 3 });
    expect(table.autonomousSystem(13_335)?.name).toBe('Cloudflare, "the" Inc.');
    expect(table.autonomousSystem(38_803)?.name).toBe('Gtelecom');
    expect(table.autonomousSystem(64_500)?.name).toBe('AS64500');
  });

  test('gzip is unpacked under any file name', async () => {
    expect(await readFileBytes('a', gzipSync('text'))).toEqual(Buffer.from('text'));
  });
});

describe('refused files, each with one sentence', () => {
  const HTML = '<!DOCTYPE html><html><body>Please log in</body></html>';
  test.each<[ReferenceKind, string, Uint8Array | string, RegExp]>([
    ['geo', 'an empty file', '', /is empty/],
    ['asn', 'an empty gzip', gzipSync(''), /is empty/],
    ['geo', 'a web page', HTML, /web page/],
    ['asn', 'a web page', HTML, /web page/],
    ['attack', 'a web page', gzipSync(HTML), /web page/],
    ['geo', 'a cut-off gzip', gzipSync(CITY).subarray(0, 300), /cut off or damaged/],
    ['geo', 'a cut-off file', CITY.subarray(0, CITY.length - 300), /no MaxMind DB, or was cut off/],
    ['geo', 'a file of networks', ASN, /no countries.*'Test-ASN'/],
    ['asn', 'a file of cities', CITY, /no owners.*'Test-City'/],
    ['geo', 'text', 'just text', /no MaxMind DB/],
    ['asn', 'a list of addresses', '1.1.1.1\n2.2.2.2\n', /no line is 'first address/],
    ['asn', 'a table with many bad lines', '1.0.0.0,1.0.0.255,1,A\nx\ny\nz\n', /3 of 4 lines/],
    ['asn', 'ends the wrong way round', '1.0.1.0,1.0.0.0,1,A\n', /no line is/],
    ['asn', 'mixed families', '1.0.1.0,2001:db8::1,1,A\n', /no line is/],
    ['attack', 'no JSON', '{"type":"bundle","obj', /not JSON, or was cut off/],
    ['attack', 'an empty bundle', BUNDLE, /no technique/],
    ['attack', 'other JSON', '[1,2]', /no STIX bundle/],
  ])('%s: %s', async (kind, _, file, sentence) => {
    expect(await refusal(kind, file)).toMatch(sentence);
  });

  test('a table whose last line is not complete', async () => {
    const lines = Array.from(
      { length: 300 },
      (_, at) => `1.0.${at % 256}.0,1.0.${at % 256}.255,${at + 1},N\n`,
    );
    expect(await refusal('asn', `${lines.join('')}1.2.3.`)).toMatch(/was cut off: its last line/);
  });

  test('two files of places', async () => {
    expect(await refusal('geo', CITY, CITY)).toMatch(/Exactly one file/);
  });

  test('a search tree that leads back to its root, and a network that points outside the data', async () => {
    const circle = Buffer.from(CITY);
    circle.writeUIntBE(0, 3, 3);
    expect(await refusal('geo', circle)).toMatch(/has a cycle/);
    const outside = Buffer.from(CITY);
    outside.writeUIntBE(0xff_ffff, 3, 3);
    expect(await refusal('geo', outside)).toMatch(/points outside the data/);
  });
});

const MAXMIND = join(import.meta.dirname, '../../../../../shared/data/geo/maxmind-test-data');
describe.skipIf(!existsSync(MAXMIND))(
  "MaxMind's own test files (skipped when the data set is not there)",
  () => {
    const file = (name: string) => readFileSync(join(MAXMIND, `${name}.mmdb`));

    test('the two broken ones are refused with the right reason', async () => {
      expect(await refusal('geo', file('MaxMind-DB-test-broken-pointers-24'))).toMatch(/damaged MaxMind DB/);
      expect(await refusal('geo', file('MaxMind-DB-test-broken-search-tree-24'))).toMatch(/has a cycle/);
      expect(await refusal('asn', file('MaxMind-DB-test-broken-pointers-24'))).toMatch(/damaged MaxMind DB/);
    });

    test('cities, countries and networks are accepted, anonymisers are not', async () => {
      for (const name of ['GeoIP2-City-Test', 'GeoLite2-City-Test', 'GeoIP2-Country-Test'])
        expect(compile('geo', file(name)).details.records).toBeGreaterThan(50);
      expect(compile('asn', file('GeoLite2-ASN-Test')).details).toEqual({
        ranges4: 182,
        ranges6: 230,
        systems: 95,
      });
      expect(await refusal('geo', file('GeoIP2-Anonymous-IP-Test'))).toMatch(/'GeoIP2-Anonymous-IP'/);
      expect(await refusal('asn', file('GeoIP2-Anonymous-IP-Test'))).toMatch(/'GeoIP2-Anonymous-IP'/);
    });

    test('cut anywhere, none is accepted and the only result is a sentence', async () => {
      const whole = file('GeoIP2-City-Test');
      for (let bytes = 1; bytes < whole.length; bytes += 1_371)
        expect(await refusal('geo', whole.subarray(0, bytes))).toMatch(/^file-0 is/);
    });
  },
);
