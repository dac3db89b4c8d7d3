import { mergeSnapshot, type SourceSettings } from '#capabilities/corpus/index.ts';
import type { Clock } from '#platform/clock.ts';
import type { Postgres } from '#platform/postgres.ts';
import { loadList } from '#test/load-list.ts';
import { rowOf, SANCTIONED, sure } from './contact-rows.ts';

export const CROWDED_IP = '45.155.205.233';
/** An address with as many listings as the crowded one that is also on an allow list. */
export const DISPUTED_IP = '45.155.205.240';
export const CLOUD_IP = '52.95.110.1';
export const SAMPLE_SHA256 = 'ab'.repeat(32);
export const SAMPLE_MD5 = 'cd'.repeat(16);
export const FEEDS = 42;

/** Targets of `bulk.test.ts`; no list of the traps names any of them. */
export const BULK = {
  ip: '45.155.207.9',
  domain: 'evil-batch.com',
  email: 'someone@evil-batch.com',
} as const;

type List = {
  readonly id: string;
  readonly values: readonly string[];
  readonly settings?: SourceSettings;
  readonly ageHours?: number;
};

const infrastructure = { threatClass: 'infrastructure' } as const;

export const TRAP_LISTS: readonly List[] = [
  ...Array.from({ length: FEEDS }, (_, i) => ({
    id: `feed-${String(i).padStart(2, '0')}`,
    values: [CROWDED_IP, DISPUTED_IP, 'evil.com'],
  })),
  {
    id: 'cloud',
    values: ['52.95.0.0/16', '52.95.110.0/24'],
    settings: { ...infrastructure, attributes: ['cloud'] },
  },
  { id: 'exits', values: [CLOUD_IP], settings: { ...infrastructure, attributes: ['tor-exit'] } },
  { id: 'ads', values: ['ads.evil.com', 'only-ads.com'], settings: { adOnly: true, category: 'ads' } },
  {
    id: 'samples',
    values: [SAMPLE_SHA256, SAMPLE_MD5],
    settings: { signal: 'scanner', category: 'malware', entityTypes: ['hash'] },
  },
  { id: 'ranges', values: ['45.155.206.0/24', '2a02:4780::/32'], settings: { category: 'malware' } },
  {
    id: 'mixed-good',
    values: [DISPUTED_IP],
    settings: { threatClass: 'allowlist', category: 'known-good', guard: 'known-good' },
  },
  {
    id: 'weak',
    values: ['one-weak-list.com'],
    settings: { fpRisk: 'high', reliability: 0.2, letter: 'E' },
    ageHours: 24 * 40,
  },
  { id: 'urls', values: ['http://evil.com/payload.exe'], settings: { category: 'malware' } },
];

const BULK_LISTS: readonly List[] = [
  { id: 'attacks', values: [BULK.ip, BULK.domain, BULK.email], settings: { category: 'malware' } },
  { id: 'phish', values: [BULK.ip, `http://${BULK.domain}/login`], settings: { category: 'phishing' } },
];

export async function loadTrapLists(system: Postgres, clock: Clock): Promise<void> {
  await loadLists(system, clock, TRAP_LISTS);
}

/**
 * The corpus of the shared service. Nothing adds to it later, so test files cannot change each other's
 * answers.
 */
export async function loadSharedCorpus(system: Postgres, clock: Clock): Promise<void> {
  await loadLists(system, clock, [...TRAP_LISTS, ...BULK_LISTS]);
  const rows = [rowOf(SANCTIONED), rowOf('+18005550199')];
  await mergeSnapshot({ system, clock }, 'contacts', [rows], { settings: sure(80), dataAtMs: clock.now() });
}

async function loadLists(system: Postgres, clock: Clock, lists: readonly List[]): Promise<void> {
  for (const { id, values, settings = {}, ageHours = 0 } of lists)
    await loadList({ system, clock }, id, values, {
      dataAtMs: clock.now() - ageHours * 3_600_000,
      settings,
    });
}
