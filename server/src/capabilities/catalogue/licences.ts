import type { Licence } from './catalogue-row.ts';

/** Permissive: entries may be redistributed, with attribution where it is required. */
const open = (name: string, attribution?: string): Licence => ({
  name,
  redistributable: true,
  mode: 'free',
  ...(attribution !== undefined && { attribution }),
});

/** Free to use. No statement allows redistribution, and unknown means no. */
export const freeToUse = (name: string, attribution?: string): Licence => ({
  ...open(name, attribution),
  redistributable: false,
});

/** Share-alike and copyleft: a blocklist with such entries would fall under their terms, so they stay inside. */
export const copyleft = (name: string, attribution?: string): Licence => freeToUse(name, attribution);

/** Terms that an operator must accept first: non-commercial use, no derivatives, research only. */
export const optIn = (name: string, attribution?: string): Licence => ({
  ...freeToUse(name, attribution),
  optIn: true,
});

/** The same licence, fetched with the operator's own key. */
export const withKey = (licence: Licence): Licence => ({ ...licence, mode: 'api-key' });

export const attributed = (name: string, attribution: string): Licence => open(name, attribution);

export const CC0 = open('CC0-1.0');
export const MIT = open('MIT');
export const BSD = open('BSD');
export const BSD_2 = open('BSD-2-Clause');
export const BSD_3 = open('BSD-3-Clause');
export const APACHE_2 = open('Apache-2.0');
export const UNLICENSE = open('Unlicense');
export const PUBLIC_DOMAIN = open('public domain');
/** abuse.ch publishes its data under CC0; its terms of use govern the download. */
export const ABUSE_CH = open('CC0-1.0 (abuse.ch)');
/** Address ranges that a network operator publishes about itself for others to use; no licence is stated. */
export const PROVIDER_RANGES = freeToUse('published by the operator of the network, no licence stated');
