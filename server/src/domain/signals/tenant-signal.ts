import { hasLureWord } from '../lookalike/index.ts';
import { brandOfTenant } from './brand-signal.ts';

/** How many tenants of a platform lists of phishing first named in the last 90 days, and how many tenants people visit. */
export type PlatformHeat = { readonly named: number; readonly size: number };

/** What the text of a tenant's name has in common with names of phishing. */
export const TENANT_FACTS = ['digits', 'long', 'brand', 'lure', 'fewVowels'] as const;
export type TenantFact = (typeof TENANT_FACTS)[number];

export type TenantSignal = {
  readonly platform: string;
  /** `named` of the platform, where it gives points; else 0. */
  readonly named: number;
  /** The points of the scorecard. */
  readonly total: number;
  readonly facts: readonly TenantFact[];
  readonly digits: number;
};

/** From this total on the scorecard raises the signal: .18 to .19 % of visited tenants, 35 to 43 % of PhishTank's next. */
export const TENANT_LEAST = 12;

export type Tenant = { readonly host: string; readonly platform: string; readonly text: string };

export function tenantSignalOf(tenant: Tenant, heat: PlatformHeat): TenantSignal | null {
  // Punycode is not judged, because its characters are not those that a reader sees.
  if (tenant.text.includes(ENCODED)) return null;
  const warmth = heatPoints(heat);
  const { points, facts, digits } = textPoints(tenant);
  const total = warmth + points;
  if (total < TENANT_LEAST) return null;
  return { platform: tenant.platform, named: warmth === 0 ? 0 : heat.named, total, facts, digits };
}

const ENCODED = 'xn--';

/** Below this many named tenants a platform is cold, whatever its size. */
export const NAMED_MIN = 3;
/** Added to the size, so that a platform that nobody visits yet is not infinitely hot. */
const SIZE_PRIOR = 5;
const HEAT_STEPS = [
  { below: 0.02, points: 0 },
  { below: 0.1, points: 2 },
  { below: 0.5, points: 4 },
  { below: 2, points: 6 },
  { below: 10, points: 8 },
] as const;
const HEAT_MAX = 10;

/** 0 to 10 points, by the named tenants for each visited one. */
export function heatPoints({ named, size }: PlatformHeat): number {
  if (named < NAMED_MIN) return 0;
  const rate = named / (size + SIZE_PRIOR);
  return HEAT_STEPS.find(({ below }) => rate < below)?.points ?? HEAT_MAX;
}

const DIGIT_STEPS = [
  { least: 6, points: 5 },
  { least: 4, points: 2 },
  { least: 1, points: 1 },
] as const;
const LONG_MIN = 24;
const LETTERS_MIN = 6;
const VOWEL_SHARE_MAX = 0.2;
const FACT_POINTS = { long: 2, brand: 3, lure: 4, brandAndLure: 1, fewVowels: 2 } as const;

type TextPoints = Pick<TenantSignal, 'facts' | 'digits'> & { readonly points: number };

export function textPoints(tenant: Tenant): TextPoints {
  const { text } = tenant;
  const { digits, letters, vowels } = countCharacters(text);
  let points = DIGIT_STEPS.find(({ least }) => digits >= least)?.points ?? 0;
  const facts: TenantFact[] = points > 0 ? ['digits'] : [];
  const add = (fact: Exclude<TenantFact, 'digits'>, isTrue: boolean): void => {
    if (!isTrue) return;
    facts.push(fact);
    points += FACT_POINTS[fact];
  };
  add('long', text.length >= LONG_MIN);
  add('brand', brandOfTenant(tenant.host, tenant) !== null);
  add('lure', hasLureWord(text));
  if (facts.includes('brand') && facts.includes('lure')) points += FACT_POINTS.brandAndLure;
  add('fewVowels', letters >= LETTERS_MIN && vowels <= VOWEL_SHARE_MAX * letters);
  return { points, facts, digits };
}

function countCharacters(text: string): { digits: number; letters: number; vowels: number } {
  let [digits, letters, vowels] = [0, 0, 0];
  for (const letter of text) {
    if (letter >= '0' && letter <= '9') digits += 1;
    else if (letter >= 'a' && letter <= 'z') {
      letters += 1;
      if ('aeiouy'.includes(letter)) vowels += 1;
    }
  }
  return { digits, letters, vowels };
}
