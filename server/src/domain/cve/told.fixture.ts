import { type ToldAffected, type ToldCve, type ToldVersions, toldNothing } from './told.ts';

/** Rows written for tests; each says only what the test is about. */
export const row = (source: ToldCve['source'], said: Partial<ToldCve> = {}): ToldCve => ({
  ...toldNothing('CVE-2030-0001', source, 'CVE-2030-0001'),
  ...said,
});

export const versions = (version: string, said: Partial<ToldVersions> = {}): ToldVersions => ({
  status: 'affected',
  version,
  lessThan: null,
  lessThanOrEqual: null,
  versionType: 'custom',
  changes: [],
  ...said,
});

export const affected = (
  vendor: string,
  product: string,
  said: Partial<ToldAffected> = {},
): ToldAffected => ({
  vendor,
  product,
  package: null,
  cpes: [],
  platforms: [],
  defaultStatus: 'unknown',
  versions: [],
  ...said,
});
