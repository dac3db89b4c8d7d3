/** How lists describe an indicator, and what that means for the reader. It never raises the score. */
export type ContextWords = { readonly name: string; readonly meaning: string };

const WORDS: ReadonlyMap<string, ContextWords> = new Map(
  Object.entries({
    'tor-exit': { name: 'a Tor exit', meaning: 'many unrelated people share this address' },
    vpn: { name: 'a VPN exit', meaning: 'many unrelated people share this address' },
    proxy: { name: 'a proxy or privacy relay', meaning: 'many unrelated people share this address' },
    'doh-resolver': { name: 'an encrypted-DNS resolver', meaning: 'it answers name queries for many people' },
    'dns-resolver': { name: 'a public DNS resolver', meaning: 'it answers name queries for many people' },
    sinkhole: { name: 'a sinkhole', meaning: 'defenders send the traffic of known malware here' },
    cloud: {
      name: 'in a cloud or hosting network',
      meaning: 'its tenants change, and so do their addresses',
    },
    cdn: { name: 'part of a content delivery network', meaning: 'many unrelated sites share this address' },
    crawler: { name: 'a known crawler', meaning: 'it fetches pages on behalf of a search service' },
    scanner: { name: 'a known research scanner', meaning: 'it probes the whole internet and says so' },
    monitoring: { name: 'a monitoring service', meaning: 'it probes sites for their owners' },
    'disposable-email': { name: 'a disposable mailbox provider', meaning: 'anybody gets an address there' },
    'dynamic-dns': {
      name: 'a dynamic DNS name',
      meaning: 'strangers get names below it, and addresses change',
    },
    'url-shortener': {
      name: 'a URL shortener',
      meaning: 'where a link leads is not to be seen from its name',
    },
    bogon: { name: 'a private or reserved address', meaning: 'it has no public reputation' },
    saas: { name: 'a hosted service', meaning: 'many unrelated customers share this name' },
    allowlist: { name: 'on a list of well-known names', meaning: 'such lists say known, not harmless' },
  }),
);

export function contextSentence(attributes: readonly string[]): ContextSentence | null {
  const told = [...attributes]
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, TOLD_MAX)
    .map(contextWords);
  if (told.length === 0) return null;
  return {
    names: told.map(({ name }) => name),
    meaning: [...new Set(told.map(({ meaning }) => meaning))].join('; '),
  };
}
export type ContextSentence = { readonly names: readonly string[]; readonly meaning: string };
const TOLD_MAX = 3;

/** The order of `WORDS`: the most telling attribute first. */
const rankOf = (attribute: string): number => {
  const rank = KNOWN_ATTRIBUTES.indexOf(attribute);
  return rank < 0 ? KNOWN_ATTRIBUTES.length : rank;
};

/** An attribute unknown to this version is quoted. */
export const contextWords = (attribute: string): ContextWords =>
  WORDS.get(attribute) ?? { name: `marked “${attribute}”`, meaning: 'a list describes it so' };

export const KNOWN_ATTRIBUTES: readonly string[] = [...WORDS.keys()];
