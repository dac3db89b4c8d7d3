/** The capability map: which capability may import which. Adding an edge is a reviewed one-line diff. */
export const CAPABILITY_MAP: Readonly<Record<string, readonly string[]>> = {
  corpus: [],
  access: [],
  // passwords: a new password must not be in the list of breached ones. letters: proofs of an address go by letter.
  // factors: signing in with a password asks for the second factor.
  accounts: ['access', 'factors', 'letters', 'passwords'],
  factors: ['access', 'letters'],
  // accounts: tokens of links. org-indicators: an organization is erased with its indicators, also in every replica.
  organizations: ['access', 'accounts', 'letters', 'org-indicators'],
  // accounts: addresses, tokens. organizations: members, roles. letters: owners are told of sign-ins without SSO.
  sso: ['access', 'accounts', 'letters', 'organizations'],
  metering: ['access'],
  lists: [],
  // The state of what is built in the background and published: blocklists, TAXII collections, address database.
  publications: [],
  // corpus: types only, because a row is written in the types of the source registry.
  catalogue: ['corpus', 'lists'],
  // How a data set is fetched, judged, quarantined, run and recorded. Its content belongs to the capability that owns it.
  datasets: ['lists'],
  // datasets: how its data sets are fetched; lists: how files are read.
  cve: ['datasets', 'lists'],
  // publications: a first import is the moment from which files are missed.
  feeds: ['corpus', 'lists', 'catalogue', 'datasets', 'publications'],
  // lists: the words of a refusal. datasets: how trackers are fetched and their runs recorded.
  ransomware: ['lists', 'datasets'],
  'source-trust': ['corpus'],
  enrichment: [],
  passwords: [],
  providers: [],
  signals: ['corpus', 'enrichment'],
  // Names that look like phishing are told by the composition root, which asks the signals.
  weights: ['corpus'],
  // providers: the answer of a scanner is one of the things that are judged.
  // catalogue: the default sources, against which a verdict measures how much is loaded.
  judging: ['catalogue', 'corpus', 'enrichment', 'signals', 'providers', 'org-indicators'],
  standing: ['corpus', 'enrichment', 'signals', 'judging'],
  check: ['corpus', 'enrichment', 'passwords', 'providers', 'signals', 'judging', 'org-indicators'],
  // contacts: an address or a number has one verdict, on its own route and in a batch.
  bulk: ['judging', 'check', 'contacts'],
  'context-pages': ['corpus', 'enrichment', 'judging', 'check'],
  network: ['corpus', 'enrichment', 'judging', 'check', 'providers', 'context-pages'],
  history: ['corpus', 'judging', 'check'],
  lookups: ['check', 'providers'],
  search: ['corpus', 'judging', 'check'],
  contacts: ['corpus', 'judging', 'check', 'providers', 'search'],
  // contacts: an address or a number in a message has the verdict of its own route.
  mail: ['corpus', 'judging', 'contacts', 'providers'],
  assistant: ['check'],
  reports: [],
  letters: [],
  // letters: a subscription is confirmed by letter, and letters are ended with a link.
  forms: ['letters'],
  // corpus: its key encoding, and what it knows of a value before it is blocked.
  'org-indicators': ['corpus'],
  // letters: the owners of an account are told that a month is nearly used.
  usage: ['letters'],
  // access: the plan and limits of a caller; usage: what its month has used.
  billing: ['access', 'usage'],
  // access: the audit trail. cve: names of its catalogue. providers: what the hosts of a domain run.
  'cve-watch': ['access', 'cve', 'providers'],
  // access: the audit trail. letters: owners are told that an endpoint was disabled.
  webhooks: ['access', 'letters'],
  // access: the audit trail.
  cases: ['access'],
  'action-center': [],
  // check: the schemas that it describes.
  trust: ['check'],
  // access: the audit trail. cve-watch: an alert and its finding move together. letters: owners are told.
  alerts: ['access', 'cve-watch', 'letters'],
  // What is watched is judged as a check judges it (judging; contacts for mailboxes), follows the change log as standings do
  // (corpus, standing, with the tables of enrichment and signals), and is told as alerts and on the stream. org-indicators,
  // ransomware: their events bear on what is watched. providers: certificate, registration and addresses.
  monitoring: [
    'access',
    'alerts',
    'contacts',
    'corpus',
    'enrichment',
    'judging',
    'org-indicators',
    'providers',
    'ransomware',
    'signals',
    'standing',
    'stream',
  ],
  onboarding: [],
  analytics: ['corpus', 'standing'],
  status: [],
  // access: the plan of a caller and its limits.
  storage: ['access'],
  // Operators act through the use cases of these capabilities only.
  operators: ['access', 'corpus', 'cve', 'datasets', 'feeds', 'letters', 'status'],
  // org-indicators: what an organization allows is left out of the lists that it asks for.
  blocklists: ['org-indicators', 'publications'],
  // standing: what moved; org-indicators: what an organization published for itself.
  stream: ['corpus', 'standing', 'org-indicators'],
  // judging: URLs have no standing and are judged for their collections.
  mmdb: ['corpus', 'enrichment', 'judging', 'publications', 'standing'],
  taxii: ['corpus', 'judging', 'publications', 'standing', 'org-indicators'],
};

/** The same map as ARCHITECTURE.md shows it: a row for each capability that leans on others. */
export function renderMap(map = CAPABILITY_MAP): string {
  const names = Object.keys(map).toSorted();
  const code = (name: string) => `\`${name}\``;
  const alone = names.filter((name) => map[name]?.length === 0).map(code);
  const rows = names.flatMap((name) => {
    const others = map[name]?.toSorted() ?? [];
    return others.length === 0 ? [] : [`| ${code(name)} | ${others.map(code).join(', ')} |`];
  });
  return `Lean on no other: ${alone.join(', ')}.\n\n| Capability | leans on |\n|---|---|\n${rows.join('\n')}\n`;
}
