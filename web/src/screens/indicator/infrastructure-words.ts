/** The words for an attribute, by which lists describe an indicator without accusing it. It never raises the score. */
export type ContextWords = {
  readonly tag: string;
  readonly meaning: string;
  /** True when the attribute says what the indicator is, so that the headline may name it so. */
  readonly isTelling: boolean;
  /** Lower ranks tell more about the indicator and are shown first. */
  readonly rank: number;
};

const SHARED = 'many unrelated people share this address';
const RESOLVES = 'it answers name queries for many people';

/** The attribute that tells most is first. Those from `QUIET_FROM` on say where an indicator is and not what it is. */
const WORDS: readonly (readonly [attribute: string, tag: string, meaning: string])[] = [
  ['tor-exit', 'Tor exit', SHARED],
  ['vpn', 'VPN exit', SHARED],
  ['proxy', 'Proxy or privacy relay', SHARED],
  ['doh-resolver', 'Encrypted-DNS resolver', RESOLVES],
  ['dns-resolver', 'Public DNS resolver', RESOLVES],
  ['sinkhole', 'Sinkhole', 'defenders send the traffic of known malware here'],
  ['scanner', 'Research scanner', 'it probes the whole internet and says so'],
  ['crawler', 'Crawler', 'it fetches pages on behalf of a search service'],
  ['monitoring', 'Monitoring service', 'it probes sites for their owners'],
  ['disposable-email', 'Disposable mailboxes', 'anybody gets an address there'],
  ['dynamic-dns', 'Dynamic DNS', 'strangers get names below it, and addresses change'],
  ['url-shortener', 'URL shortener', 'where a link leads is not to be seen from its name'],
  ['cloud', 'Hosting', 'its tenants change, and so do their addresses'],
  ['cdn', 'CDN', 'many unrelated sites share this address'],
  ['saas', 'Hosted service', 'many unrelated customers share this name'],
  ['bogon', 'Reserved range', 'it has no public reputation'],
  ['allowlist', 'On an allow list', 'such lists say known, not harmless'],
];
const QUIET_FROM = 'cloud';
const QUIET_RANK = WORDS.findIndex(([attribute]) => attribute === QUIET_FROM);

const BY_ATTRIBUTE: ReadonlyMap<string, ContextWords> = new Map(
  WORDS.map(([attribute, tag, meaning], rank) => [
    attribute,
    { tag, meaning, isTelling: rank < QUIET_RANK, rank },
  ]),
);

/** The words for an attribute. One of a newer service, unknown to this version, is quoted. */
export const contextWords = (attribute: string): ContextWords =>
  BY_ATTRIBUTE.get(attribute) ?? {
    tag: `“${attribute}”`,
    meaning: 'a list describes it so',
    isTelling: false,
    rank: WORDS.length,
  };

/** The attribute that the headline may name the indicator by; null when none says what it is. */
export const tellingWords = (attributes: readonly string[]): ContextWords | null =>
  attributes
    .map(contextWords)
    .filter(({ isTelling }) => isTelling)
    .toSorted((a, b) => a.rank - b.rank)[0] ?? null;

export const KNOWN_ATTRIBUTES: readonly string[] = [...BY_ATTRIBUTE.keys()];
