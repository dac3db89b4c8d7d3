import type { BrandSignal, BrandTechnique, TenantFact, TenantSignal } from '../signals/index.ts';
import { countOf } from './wording.ts';

const SAYS: Readonly<Record<Exclude<TenantFact, 'digits'>, string>> = {
  long: '24 or more characters',
  brand: "a brand's name",
  lure: 'a phishing keyword',
  fewVowels: 'few vowels',
};

/** "333 new phishing hosts on this platform in 90 days; the hostname contains 6 digits and a phishing keyword" */
export function tenantSentence(tenant: TenantSignal | null): string {
  if (tenant === null) return 'The hostname resembles phishing hosts';
  const { named, facts, digits } = tenant;
  const parts = facts.map((fact) => (fact === 'digits' ? countOf(digits, 'digit') : SAYS[fact]));
  const said = `hostname contains ${listOf(parts)}`;
  return named === 0
    ? `The ${said}`
    : `${countOf(named, 'new phishing host')} on this platform in 90 days; the ${said}`;
}

const listOf = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** Without a full stop, because the points follow. */
export const brandSentence = (brand: BrandSignal | null): string =>
  brand === null ? 'The hostname uses a brand' : BY_TECHNIQUE[brand.technique](brand.brand);

const BY_TECHNIQUE: Readonly<Record<BrandTechnique, (brand: string) => string>> = {
  domainLeft: (domain) => `The brand's domain ${domain} is used as a subdomain of an unrelated domain`,
  withLure: (brand) =>
    `The domain joins ${brand} to a phishing keyword or another of its names, and does not belong to ${brand}`,
  swapped: (domain) => `The domain is written like ${domain} with other letters or digits`,
  onPlatform: (brand) =>
    `The hostname joins ${brand} to a phishing keyword on a platform where anyone can register names`,
};
