import { claimText, defangedHostOf } from '../claim-text.ts';
import { groupKeyOf, readGroupName } from '../group-name.ts';

export type GroupLocation = {
  /** Defanged. */
  readonly fqdn: string;
  readonly available: boolean | null;
  readonly lastCheckedAtMs: number | null;
};
export type GroupTechnique = { readonly techniqueId: string; readonly technique: string };

/** What one source says about a ransomware group. */
export type GroupProfile = {
  readonly key: string;
  readonly name: string;
  /** Only names that the source itself gives. */
  readonly aliases: readonly string[];
  readonly description: string | null;
  readonly locations: readonly GroupLocation[];
  readonly techniques: readonly GroupTechnique[];
  readonly references: readonly string[];
  readonly isSeized: boolean;
  /** The source has ransom notes of the group. */
  readonly hasNotes: boolean;
};

const LIST_MAX = 100;
const ALIAS_MAX = 100;
const URL_MAX = 500;
/** Channels that groups publish through; a link to one is a link to a leak. */
const CHANNELS =
  /(?:^|\.)(?:t\.me|telegram\.(?:me|org)|onion|tox\.chat|session\.org|mega\.nz|gofile\.io|anonfiles\.com)$/i;

/**
 * The address of a page about a group; null for the group's own sites, its channels and everything on Tor, because no
 * answer of ours may lead to leaked data.
 */
export function referenceOf(value: unknown, ownHosts: ReadonlySet<string>): string | null {
  if (typeof value !== 'string' || value.length > URL_MAX || !URL.canParse(value.trim())) return null;
  const url = new URL(value.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const isLeak = CHANNELS.test(url.hostname) || ownHosts.has(url.hostname.replaceAll('.', '[.]'));
  return isLeak || url.username !== '' || /\.onion\b/i.test(url.href) ? null : url.href;
}

/** Merges rows of one source about one group, in the order of the source. */
export function mergeProfiles(profiles: readonly GroupProfile[]): readonly GroupProfile[] {
  const byKey = new Map<string, GroupProfile>();
  for (const next of profiles) {
    const before = byKey.get(next.key);
    byKey.set(next.key, before === undefined ? next : joined(before, next));
  }
  return [...byKey.values()];
}

const joined = (a: GroupProfile, b: GroupProfile): GroupProfile => ({
  key: a.key,
  name: a.name,
  aliases: uniqueAliases(a.key, [...a.aliases, ...b.aliases]),
  description: a.description ?? b.description,
  locations: uniqueBy([...a.locations, ...b.locations], ({ fqdn }) => fqdn),
  techniques: uniqueBy([...a.techniques, ...b.techniques], ({ techniqueId }) => techniqueId),
  references: uniqueBy([...a.references, ...b.references], (url) => url),
  isSeized: a.isSeized || b.isSeized,
  hasNotes: a.hasNotes || b.hasNotes,
});

export function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()].slice(0, LIST_MAX);
}

/** Other names of a group, each once, without spellings of its own name. */
export function uniqueAliases(key: string, said: readonly unknown[]): readonly string[] {
  const names = said.flatMap((alias) => readGroupName(claimText(alias, ALIAS_MAX)) ?? []);
  return uniqueBy(
    names.filter((alias) => alias.key !== key).map(({ name }) => name),
    groupKeyOf,
  );
}

export function locationOf(
  host: unknown,
  available: boolean | null,
  lastCheckedAtMs: number | null,
): readonly GroupLocation[] {
  const fqdn = defangedHostOf(host);
  return fqdn === null ? [] : [{ fqdn, available, lastCheckedAtMs }];
}

/** True if the text of a page or a table says that authorities hold a site. */
export const saysSeized = (text: unknown): boolean =>
  typeof text === 'string' && /\bs(?:ei|ie)zed\b|under the control of/i.test(text);
