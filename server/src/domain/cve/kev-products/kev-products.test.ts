import { describe, expect, test } from 'vitest';
import { matchCve } from '../match-cve.ts';
import { NO_LINKS } from '../product-names.ts';
import { type ToldAffected, type ToldCve, toldNothing } from '../told.ts';
import { kevProducts } from './kev-products.ts';
import { readKevNames } from './read-kev-names.ts';

const names = (vendor: string, product: string) =>
  kevProducts(vendor, product).map((name) => `${name.vendor}:${name.product}`);
const kev = (vendor: string, product: string): ToldCve => ({
  ...toldNothing('CVE-2021-1000', 'kev', 'CVE-2021-1000'),
  kev: {
    dateAdded: '2021-11-03',
    dueDate: null,
    requiredAction: null,
    ransomwareUse: 'Unknown',
    shortDescription: null,
    vendor,
    product,
  },
});
const cna = (change: Partial<ToldAffected>): ToldCve => ({
  ...toldNothing('CVE-2021-1000', 'cna', 'CVE-2021-1000'),
  affected: [
    {
      vendor: 'n/a',
      product: 'n/a',
      package: null,
      cpes: [],
      platforms: [],
      defaultStatus: 'unknown',
      versions: [version('n/a')],
      ...change,
    },
  ],
});
const version = (text: string) => ({
  status: 'affected' as const,
  version: text,
  lessThan: null,
  lessThanOrEqual: null,
  versionType: null,
  changes: [],
});
const windows = {
  vendor: 'Microsoft',
  product: 'Windows',
  version: '10.0.19045',
  cpe: null,
  purl: null,
  ecosystem: null,
};
const match = (rows: readonly ToldCve[]) => matchCve(windows, rows, { links: NO_LINKS, environment: [] });

describe('products of the KEV catalog', () => {
  test('have CPE names, in the catalog’s spelling too', () => {
    expect(names('Apache', 'Log4j2')).toEqual(['apache:log4j', 'apache:log4j2']);
    expect(names('google', 'chromium  V8')).toContain('google:chrome');
    expect(names('Apple', 'iOS, iPadOS, and macOS')).toEqual([
      'apple:iphone_os',
      'apple:ios',
      'apple:ipados',
      'apple:macos',
      'Apple:iOS, iPadOS, and macOS',
    ]);
    expect(names('Spreadsheet::ParseExcel', 'Spreadsheet::ParseExcel')[0]).toBe(
      'jmcnamara:spreadsheet::parseexcel',
    );
    expect(names('Microsoft', 'Win32k')).toContain('microsoft:windows_server_2019');
  });

  test('"Multiple Products" is no product, and an entry outside the table keeps its own names', () => {
    expect(names('Apple', 'Multiple Products')).toEqual([]);
    expect(names('Newcomer', 'Multiple Routers')).toEqual([]);
    expect(names('Newcomer', 'Router One')).toEqual(['Newcomer:Router One']);
  });

  test('the table names 585 entries, 41 of them without a product, and every name has a vendor and a product', () => {
    const table = [...readKevNames().values()];
    expect(table).toHaveLength(585);
    expect(table.filter(({ length }) => length === 0)).toHaveLength(41);
    expect(table.flat().filter(({ vendor, product }) => vendor === '' || product === '')).toEqual([]);
    expect(table.flat().filter(({ product }) => product.includes('@') && product !== 's@t_browser')).toEqual(
      [],
    );
  });

  test('are a statement without versions where no other source states versions', () => {
    const possible = { status: 'unknown', reason: 'no-versions', source: 'kev' };
    expect(match([kev('Microsoft', 'Windows')])).toMatchObject(possible);
    expect(match([kev('Microsoft', 'Windows'), cna({})])).toMatchObject(possible);
    const stated = cna({ vendor: 'Microsoft', product: 'Windows 7', versions: [version('6.1.7601')] });
    expect(match([kev('Microsoft', 'Windows'), stated])).toBeNull();
  });
});
