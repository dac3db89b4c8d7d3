import { icannSuffixOf } from '../indicator/index.ts';
import { BRAND_TABLE, skeletonOf } from '../lookalike/index.ts';

const A_LABEL = 'xn--';

/** The look of a popular name: its own label in plain letters, and its suffix as it is. */
export function lookOf(registrable: string): string {
  const dot = registrable.indexOf('.');
  return `${skeletonOf(registrable.slice(0, dot))}${registrable.slice(dot)}`;
}

/** The looks of the most visited names, each with the name. */
export type PopularLooks = ReadonlyMap<string, string>;

/** Reads the names in their order: of two names with one look the first counts, on every machine. */
export function popularLooks(registrables: Iterable<string>): PopularLooks {
  const looks = new Map<string, string>();
  for (const name of [...registrables].sort()) {
    // A name that is internationalised itself has no plain letters to imitate.
    if (name.includes(A_LABEL) || !name.includes('.')) continue;
    const look = lookOf(name);
    if (!looks.has(look)) looks.set(look, name);
  }
  return looks;
}

/** The looks of the names in the brand table, which are known without any training. */
export const BRAND_LOOKS: PopularLooks = popularLooks(
  BRAND_TABLE.flatMap(({ domains }) => domains.flatMap((domain) => icannSuffixOf(domain)?.registrable ?? [])),
);

/** The popular name that an internationalised name looks like; null for every other name. */
export function imitatedBy(host: string, looks: PopularLooks): string | null {
  if (!host.includes(A_LABEL)) return null;
  const registrable = icannSuffixOf(host)?.registrable ?? null;
  if (registrable?.startsWith(A_LABEL) !== true) return null;
  return looks.get(lookOf(registrable)) ?? null;
}
