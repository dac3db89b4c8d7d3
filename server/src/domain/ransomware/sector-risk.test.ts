import { describe, expect, test } from 'vitest';
import { countryOf } from './countries.ts';
import { sectorRiskOf } from './sector-risk.ts';
import { findSector, SECTORS, sectorOf } from './sectors.ts';

describe('the risk of a sector', () => {
  test.each([
    [0, 0, { score: 0, riskLevel: 'low', trend: 'flat' }],
    [1, 0, { score: 16, riskLevel: 'low', trend: 'up' }],
    [11, 0, { score: 63, riskLevel: 'high', trend: 'up' }],
    [10, 20, { score: 32, riskLevel: 'medium', trend: 'down' }],
    [0, 40, { score: 0, riskLevel: 'low', trend: 'down' }],
    [200, 100, { score: 100, riskLevel: 'critical', trend: 'up' }],
    [40, 40, { score: 65, riskLevel: 'high', trend: 'flat' }],
    [40, null, { score: 65, riskLevel: 'high', trend: null }],
  ])('%s victims after %s', (now, before, risk) => {
    expect(sectorRiskOf(now, before)).toEqual(risk);
  });

  test('rises with victims and falls with those before', () => {
    for (let victims = 0; victims < 200; victims += 1) {
      expect(sectorRiskOf(victims + 1, 20).score).toBeGreaterThanOrEqual(sectorRiskOf(victims, 20).score);
      expect(sectorRiskOf(20, victims + 1).score).toBeLessThanOrEqual(sectorRiskOf(20, victims).score);
    }
  });
});

describe('sectors and countries', () => {
  test('a sector is what a source names; nothing is guessed', () => {
    expect(sectorOf('Healthcare')).toBe('healthcare');
    expect(sectorOf('Transportation/Logistics')).toBe('transportation and logistics');
    expect(sectorOf('Not Found')).toBeNull();
    expect(sectorOf('General Hospital of Springfield')).toBeNull();
    expect(findSector('  HEALTHCARE ')).toBe('healthcare');
    expect(findSector('wizardry')).toBeNull();
  });

  test('there are about twenty sectors, and none is called by two rows', () => {
    expect(SECTORS.length).toBeGreaterThanOrEqual(18);
    expect(SECTORS.length).toBeLessThanOrEqual(25);
    for (const sector of SECTORS) expect(sectorOf(sector)).toBe(sector);
  });

  test('alpha-2 and alpha-3 become alpha-2, and a code that ISO does not know is null', () => {
    for (const [code, country] of [
      ['US', 'US'],
      ['usa', 'US'],
      ['DEU', 'DE'],
      ['UK', 'GB'],
      ['URU', null],
      ['IRE', null],
      ['', null],
      [null, null],
    ] as const)
      expect(countryOf(code), String(code)).toBe(country);
  });
});
