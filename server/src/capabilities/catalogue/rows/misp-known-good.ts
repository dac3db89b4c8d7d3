import { defineWarningLists } from './warninglist.ts';

/** The most visited names. The files are sorted by name, so the only rank is that of the list: among the first N. */
export const MISP_POPULARITY_ROWS = defineWarningLists(
  {
    threatClass: 'allowlist',
    entityTypes: ['domain'],
    category: 'top-sites',
    attributes: ['allowlist'],
    guard: 'popularity',
    /** Popular names include public suffixes, which are rejected because they are never listed. */
    rejectShareMax: 0.05,
  },
  [
    {
      folder: 'cloudflare-top100k',
      popularity: 'queries',
      name: 'Cloudflare Radar top 100,000',
      rankMax: 100_000,
      entries: 100_001,
      bytes: 2_101_874,
    },
    {
      folder: 'cloudflare-top10k',
      popularity: 'queries',
      name: 'Cloudflare Radar top 10,000',
      rankMax: 10_000,
      entries: 10_001,
      bytes: 201_108,
    },
    {
      folder: 'tranco10k',
      popularity: 'mixed',
      name: 'Tranco top 10,000',
      rankMax: 10_000,
      entries: 10_000,
      bytes: 198_028,
    },
    {
      folder: 'majestic_million',
      popularity: 'links',
      name: 'Majestic top 10,000',
      rankMax: 10_000,
      entries: 9_999,
      bytes: 200_020,
    },
    {
      folder: 'moz-top500',
      popularity: 'links',
      name: 'Moz top 500',
      rankMax: 500,
      entries: 500,
      bytes: 10_147,
    },
  ],
);

export const MISP_KNOWN_GOOD_ROWS = defineWarningLists(
  {
    threatClass: 'allowlist',
    entityTypes: ['domain'],
    category: 'known-good',
    attributes: ['allowlist'],
    guard: 'known-good',
    rejectShareMax: 0.05,
  },
  [
    { folder: 'university_domains', name: 'Universities', entries: 10_578, bytes: 205_780 },
    { folder: 'bank-website', name: 'Banks', entries: 2_226, bytes: 50_779 },
    { folder: 'captive-portals', name: 'Captive portal checks', entries: 21, bytes: 946 },
    {
      folder: 'common-ioc-false-positive',
      name: 'Digests that are common false positives',
      entityTypes: ['hash'],
      entries: 69,
      bytes: 4_121,
    },
    {
      folder: 'crl-hostname',
      name: 'Certificate revocation hosts',
      /** Revocation hosts are shared services, as scoring ruling 9 names crl-*. */
      guard: 'service',
      entries: 222,
      bytes: 6_755,
    },
    { folder: 'findip-host', name: 'Hosts that tell an address', entries: 24, bytes: 1_036 },
    { folder: 'google', name: 'Google domains', entries: 669, bytes: 13_512 },
    { folder: 'microsoft', name: 'Microsoft domains', entries: 191, bytes: 4_898 },
    { folder: 'microsoft-office365', name: 'Microsoft 365 domains', entries: 183, bytes: 5_279 },
    {
      folder: 'mozilla-CA',
      name: 'Trusted authority certificates',
      entityTypes: ['hash'],
      tags: ['certificate'],
      entries: 516,
      bytes: 27_971,
    },
    {
      folder: 'ti-falsepositives',
      name: 'Digests that are false positives in indicator lists',
      entityTypes: ['hash'],
      entries: 24_645,
      bytes: 1_314_782,
    },
    { folder: 'whats-my-ip', name: 'What-is-my-address sites', entries: 234, bytes: 5_122 },
  ],
);

/** Files that are neither good nor bad: one is made to be detected, the other has nothing in it (O53). */
export const MISP_ODD_FILE_ROWS = defineWarningLists({ entityTypes: ['hash'], rejectShareMax: 0.5 }, [
  {
    folder: 'eicar.com',
    name: 'EICAR test file',
    threatClass: 'threat',
    category: 'test',
    tags: ['eicar'],
    letter: 'A',
    signal: 'scanner',
    /** Includes SHA-224 and SHA-512, which are not read. */
    entries: 15,
    bytes: 1_445,
  },
  {
    folder: 'empty-hashes',
    name: 'Digests of empty files',
    threatClass: 'infrastructure',
    category: 'empty-file',
    tags: ['empty-file'],
    /** Includes SHA-224, SHA-512 and ssdeep, which are not read. */
    entries: 6,
    bytes: 811,
  },
]);

/** Security vendors quote malware on their pages, so this list describes hosts and vouches for nothing (O53). */
export const MISP_VENDOR_ROWS = defineWarningLists(
  {
    threatClass: 'infrastructure',
    entityTypes: ['domain'],
    category: 'security-vendor',
    rejectShareMax: 0.05,
  },
  [{ folder: 'security-provider-blogpost', name: 'Security vendor blogs', entries: 647, bytes: 17_006 }],
);
