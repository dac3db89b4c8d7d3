import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { describeTrust } from './describe-trust.ts';

const GOLDEN = join(import.meta.dirname, '../../../test/golden');
type Answer = { readonly dataTrust?: object | null; readonly evidence?: object | null };

const { schema, fields } = describeTrust();
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

const golden = globSync('*.json', { cwd: GOLDEN }).flatMap((name) => {
  const { dataTrust, evidence } = JSON.parse(readFileSync(join(GOLDEN, name), 'utf8')) as Answer;
  return dataTrust && evidence ? [{ name, value: { dataTrust, evidence } }] : [];
});

describe('the trust schema', () => {
  test('there are golden checks to hold against it', () => {
    expect(golden.length).toBeGreaterThan(15);
  });

  test.each(golden)('fits the golden check $name', ({ value }) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('refuses a field that is missing, one that is unknown and a word that is not listed', () => {
    const { dataTrust, evidence } = (golden[0] as (typeof golden)[number]).value;
    const { observedAt: _, ...without } = dataTrust as { observedAt: string };
    expect(validate({ dataTrust: without, evidence })).toBe(false);
    expect(validate({ dataTrust: { ...dataTrust, more: 1 }, evidence })).toBe(false);
    expect(validate({ dataTrust: { ...dataTrust, freshness: 'new' }, evidence })).toBe(false);
  });

  test('lists every field with its type', () => {
    expect(fields).toContainEqual({
      path: 'dataTrust.freshness',
      type: 'string',
      required: true,
      description: expect.stringContaining('age of the data'),
      enum: ['fresh', 'recent', 'stale', 'unknown'],
    });
    const byPath = new Map(fields.map((field) => [field.path, field]));
    expect(byPath.get('dataTrust.dataAgeHours')?.type).toBe('integer|null');
    for (const path of [
      'dataTrust.sourceAgreement.scannerClean',
      'dataTrust.sources[].reliability',
      'dataTrust.completeness.missing',
      'dataTrust.providerAgreement.contradictorySignals[].severity',
      'evidence.sourceSummary.noiseWarnings',
      'evidence.analystStatus',
    ])
      expect(byPath.has(path), path).toBe(true);
  });
});
