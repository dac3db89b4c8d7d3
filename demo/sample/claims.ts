import { DAY_MS, HOUR_MS } from '../../server/src/platform/time-units.ts';
import { type Random, randomOf } from './random.ts';

/** Invented claims of invented ransomware groups, in the formats of the trackers that publish real ones. */

const GROUPS = ['Tin Lantern', 'Brass Heron', 'Salt Raven', 'Paper Wolf', 'Glass Otter', 'Iron Thistle'];
const VICTIMS =
  'Amber Alder Birch Cedar Clover Copper Coral Cotton Dune Ember Fern Flint Garnet Harbor Hazel Indigo Ivory Jade Laurel Linen Marble Mesa Olive Onyx Pearl Pine Quarry River Saffron Slate'.split(
    ' ',
  );
const SECTORS = [
  ['Clinic', 'Healthcare'],
  ['Logistics', 'Transportation'],
  ['Components', 'Manufacturing'],
  ['Savings Bank', 'Financial Services'],
  ['School', 'Education'],
  ['Software', 'Technology'],
  ['Council', 'Government'],
  ['Foods', 'Retail'],
] as const;
const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'CA', 'BR', 'IN', 'JP', 'ES', 'IT'] as const;

const COUNT = 90;
const AGE_DAYS_MAX = 400;
const HOURS = 24;

export type Claim = {
  readonly victim: string;
  readonly group: string;
  readonly discoveredMs: number;
  readonly website: string;
  readonly activity: string;
  readonly country: string;
};

/** The victim of the newest claim, whose domain the organization of the demonstration watches. */
export const WATCHED_VICTIM = 'quartzpay.example.com';

export function claimsAt(todayMs: number): {
  readonly known: readonly Claim[];
  readonly news: readonly Claim[];
} {
  const random = randomOf('claims');
  return {
    known: Array.from({ length: COUNT }, (_, nth) => drawn(random, nth, todayMs)),
    news: [
      {
        victim: 'Quartzpay',
        group: GROUPS[0] ?? '',
        discoveredMs: todayMs - 3 * HOUR_MS,
        website: WATCHED_VICTIM,
        activity: 'Financial Services',
        country: 'DE',
      },
    ],
  };
}

function drawn(random: Random, nth: number, todayMs: number): Claim {
  const [what, activity] = random.pick(SECTORS);
  const name = `${VICTIMS[nth % VICTIMS.length]} ${what}`;
  // Squared, so that the last weeks have most of the claims and no period of a report is empty.
  const ageHours = 6 + Math.floor(random.share() ** 2 * AGE_DAYS_MAX * HOURS);
  return {
    victim: `${name} ${Math.floor(nth / VICTIMS.length) + 1}`,
    group: random.pick(GROUPS),
    discoveredMs: todayMs - ageHours * HOUR_MS,
    website: `${name.toLowerCase().replaceAll(' ', '-')}-${nth}.example`,
    activity,
    country: random.pick(COUNTRIES),
  };
}

export const renderClaims = (claims: readonly Claim[]): string =>
  JSON.stringify(
    claims.map(({ victim, group, discoveredMs, website, activity, country }) => ({
      post_title: victim,
      group_name: group,
      discovered: new Date(discoveredMs).toISOString().replace('T', ' ').replace('Z', '000'),
      website: `https://${website}/`,
      activity,
      country,
      description: 'An invented claim of the demonstration.',
    })),
  );

export const renderGroups = (todayMs: number): string =>
  JSON.stringify(
    GROUPS.map((name, nth) => ({
      name,
      meta: `An invented group of the demonstration, seen since ${new Date(todayMs - (200 + nth * 90) * DAY_MS).toISOString().slice(0, 7)}.`,
      locations: [
        {
          fqdn: `leaks-${nth}.example.net`,
          title: 'Blog',
          available: nth % 2 === 0,
          updated: new Date(todayMs - nth * DAY_MS).toISOString().slice(0, 19).replace('T', ' '),
        },
      ],
      profile: [`https://reports.example.com/groups/${nth}`],
    })),
  );

/** Articles about the newest of the claims, as the press list has them. */
export const renderPress = (claims: readonly Claim[], todayMs: number): string =>
  JSON.stringify(
    claims
      .filter(({ discoveredMs }) => discoveredMs > todayMs - 60 * DAY_MS)
      .slice(0, 8)
      .map(({ victim, website, discoveredMs, country }, nth) => ({
        date: new Date(Math.min(todayMs, discoveredMs + DAY_MS)).toISOString().slice(0, 10),
        victim,
        domain: website,
        country,
        title: `${victim} reports an attack on its systems (invented)`,
        url: `https://news.example.com/${nth + 1}`,
      })),
  );
