import type { Domain } from '../indicator/index.ts';
import type { Brand } from './brand.ts';
import { lookalikeOf, type Technique } from './look-alike.ts';

export function looksLike(
  domain: Domain,
  brands: readonly Brand[],
): { readonly brand: string; readonly technique: Technique } | null {
  if (brands.some(({ registrable }) => registrable === domain.registrable)) return null;
  let [best, closest]: [ReturnType<typeof looksLike>, number] = [null, 0];
  for (const brand of brands) {
    const found = lookalikeOf(brand, domain);
    if (found === null || found.closeness <= closest) continue;
    [best, closest] = [{ brand: brand.registrable, technique: found.technique }, found.closeness];
  }
  return best;
}
