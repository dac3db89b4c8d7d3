import { describe, expect, test } from 'vitest';
import { limitsOf, PLAN_LIMITS, planReaches } from './plans.ts';

describe('plans', () => {
  test('contract 8.1: the published figures, to the number', () => {
    expect(
      Object.entries(PLAN_LIMITS).map(([plan, l]) => [
        plan,
        l.burstPerMinute,
        l.checksPerMonth,
        l.scansPerMonth,
        l.bulkEntities,
      ]),
    ).toEqual([
      ['FREE', 60, 500, 1_000, 10],
      ['BASIC', 1, 2_000, 25_000, 50],
      ['PRO', 60, 10_000, 250_000, 100],
      ['ENTERPRISE', 5_000, 1_000_000, 1_000_000, 500],
    ]);
  });

  test('O24: perimeters and components of CVE watch', () => {
    expect(
      Object.values(PLAN_LIMITS).map((l) => [l.watchPerimeters, l.watchComponents, l.watchItems]),
    ).toEqual([
      [1, 200, 3],
      [5, 5_000, 25],
      [25, 50_000, 250],
      [500, 1_000_000, 5_000],
    ]);
  });

  test('cases, and bytes of evidence in all of them', () => {
    expect(Object.values(PLAN_LIMITS).map((l) => [l.cases, l.caseEvidenceBytes / 2 ** 20])).toEqual([
      [1_000, 64],
      [10_000, 1_024],
      [100_000, 10_240],
      [100_000, 102_400],
    ]);
  });

  test('a subscription may override any figure', () => {
    expect(limitsOf('PRO', 'active', { checksPerMonth: 7 })).toMatchObject({
      checksPerMonth: 7,
      burstPerMinute: 60,
    });
  });

  test('a suspended subscription falls to the monthly figures of FREE despite its overrides', () => {
    expect(limitsOf('ENTERPRISE', 'suspended', { checksPerMonth: 9e9 })).toMatchObject({
      checksPerMonth: 500,
      scansPerMonth: 1_000,
    });
  });

  test('a plan reaches itself and those below it', () => {
    expect(planReaches('PRO', 'PRO')).toBe(true);
    expect(planReaches('BASIC', 'PRO')).toBe(false);
    expect(planReaches('FREE', 'any')).toBe(true);
    expect(planReaches('ENTERPRISE', 'nonsense')).toBe(false);
  });
});
