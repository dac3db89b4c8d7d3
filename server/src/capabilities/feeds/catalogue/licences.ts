import type { Licence } from './catalogue-row.ts';

/** Permissive: entries may be passed on, with the attribution where one is asked for. */
const open = (name: string, attribution?: string): Licence => ({
  name,
  redistributable: true,
  mode: 'free',
  ...(attribution !== undefined && { attribution }),
});

/** Free to use; nothing says that the entries may be passed on, and not known means no. */
export const freeToUse = (name: string, attribution?: string): Licence => ({
  ...open(name, attribution),
  redistributable: false,
});

/** Share-alike and copyleft: a blocklist that mixes them in would fall under their terms as a whole, so they stay inside. */
export const copyleft = (name: string, attribution?: string): Licence => freeToUse(name, attribution);

/** Terms that an operator accepts first: non-commercial use, no derivatives, research only. */
export const optIn = (name: string, attribution?: string): Licence => ({
  ...freeToUse(name, attribution),
  optIn: true,
});

/** The same licence, fetched with a key of the operator's own. */
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
/** abuse.ch gives its data away under CC0; its terms of use govern the download. */
export const ABUSE_CH = open('CC0-1.0 (abuse.ch)');
/** Address ranges an operator publishes about itself, for others to use; no licence is stated. */
export const PROVIDER_RANGES = freeToUse('published by the operator of the network, no licence stated');
