import { describe, expect, test } from 'vitest';
import { SECTORS } from '../sectors.ts';
import { inferCountry } from './infer-country.ts';
import { inferSector } from './infer-sector.ts';
import { SECTOR_PARTS, SECTOR_SUFFIXES, SECTOR_WORDS } from './sector-table.ts';

describe('the sector of a victim', () => {
  test.each([
    ['General Hospital of Springfield', null, 'healthcare', 'name: hospital'],
    ['Clínica San José', null, 'healthcare', 'name: clinica'],
    ['floodlaw.com', 'floodlaw.com', 'legal', 'domain: law'],
    ['Vroninks Notaires (notassoc.be)', 'notassoc.be', 'legal', 'name: notaires'],
    ['maynard.k12.ma.us', 'maynard.k12.ma.us', 'education', 'suffix: .k12.ma.us'],
    ['pbos.gov.pk', 'pbos.gov.pk', 'public sector', 'suffix: .gov.pk'],
    ['Springfield Food Bank', null, 'non-profit', 'name: food bank'],
    ['District Attorney of Springfield', null, 'public sector', 'name: district attorney'],
    ['Heritage', 'heritage.bank', 'financial services', 'suffix: .bank'],
    ['vineyards-of-x', 'vineyards-of-x.com', 'agriculture', 'name: vineyard'],
  ])('%s (%s) is %s by the rule "%s"', (name, domain, value, rule) => {
    expect(inferSector({ name, domain })).toEqual({ value, rule });
  });

  test.each([
    ['Acme', 'acme.com'],
    ['Hospital Software', null],
    ['fdlawrence.com', 'fdlawrence.com'],
    ['occidental.com', 'occidental.com'],
    ['ac.example', 'example.ac'],
    ['We have a huge amount of data of this hospital and its patients and will publish all of it soon', null],
    ['st-marys-hospi...', null],
    ['', null],
  ])('%s (%s) shows none', (name, domain) => {
    expect(inferSector({ name, domain })).toBeNull();
  });

  test('every row of the tables belongs to a known sector, and no word to two', () => {
    const tables: readonly Partial<Record<string, string>>[] = [SECTOR_WORDS, SECTOR_PARTS, SECTOR_SUFFIXES];
    for (const table of tables) {
      expect(Object.keys(table).filter((sector) => !(SECTORS as readonly string[]).includes(sector))).toEqual(
        [],
      );
      const words = Object.values(table).flatMap((list = '') => list.split(',').map((word) => word.trim()));
      expect(words.filter((word, at) => words.indexOf(word) !== at || word === '')).toEqual([]);
    }
  });
});

describe('the country of a victim', () => {
  test.each([
    ['dss-cz.com', 'dss-cz.com', null, null],
    ['DACOLL.CO.UK FILES', 'dacoll.co.uk', 'GB', 'suffix: .co.uk'],
    ['quintal.com.co', 'quintal.com.co', 'CO', 'suffix: .com.co'],
    ['example.co', 'example.co', null, null],
    ['example.io', 'example.io', null, null],
    ['vuu.edu', 'vuu.edu', 'US', 'suffix: .edu'],
    ['American Heart of Poland Inc', null, 'PL', 'place: poland'],
    ['Norman Independent School District', null, 'US', 'place: independent school district'],
    ['Beth Israel Medical Center', null, null, null],
    ['Bonn Nutrients GmbH & Co. KG', null, 'DE', 'legal form: GmbH & Co. KG'],
    ['Rossi S.p.A.', null, 'IT', 'legal form: S.p.A'],
    ['Carrier India', 'carrier.de', null, null],
    ['University of New Mexico', null, 'US', 'place: new mexico'],
  ])('%s (%s) is %s', (name, domain, value, rule) => {
    expect(inferCountry({ name, domain })).toEqual(value === null ? null : { value, rule });
  });
});
