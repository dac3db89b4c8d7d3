import { EICAR } from './sample/eicar.ts';
import { newestVulnerability } from './sample/vulnerabilities.ts';

/** The JSON of an answer; tests read fields of every route. */
type Json = ReturnType<typeof JSON.parse>;

export type ApiCall = {
  readonly path: string;
  /** A body makes it a POST request. */
  readonly body?: object;
  /** Whether the JSON of the answer, or its text where it is none, has the content of the sample. */
  readonly has: (json: Json, text: string) => boolean;
};

const NEWEST = newestVulnerability(Date.now());
const some = (list: unknown): boolean => Array.isArray(list) && list.length > 0;
const isListOf = (line: RegExp) => (_: Json, text: string) =>
  text.trim().split('\n').length > 50 && line.test(text.split('\n')[0] ?? '');
const MESSAGE = [
  'From: Kestrelpay <billing@kestrelpay.example.net>',
  'To: you@example.com',
  'Subject: Your payment was returned',
  '',
  'Confirm it at https://signin.kestrelpay.example.net/account/confirm.html',
].join('\r\n');

/** One call for each thing that the demonstration shows. Every answer is 200 and has content. */
export const API_CALLS: readonly ApiCall[] = [
  { path: '/stats', has: ({ totalThreats }) => totalThreats > 30_000 },
  { path: `/check?query=${EICAR.sha256}`, has: ({ malicious }) => malicious === true },
  { path: `/check?query=${EICAR.md5}`, has: ({ malicious }) => malicious === true },
  {
    path: '/check/location?query=6.20.14.66',
    has: ({ geo }) => geo.city === 'Frankfurt' && geo.asn === 64_496,
  },
  { path: '/cve/recent', has: (list) => some(list) },
  { path: `/cve/${NEWEST}`, has: ({ isKev, epssScore }) => isKev === true && epssScore > 0.5 },
  { path: '/cve?q=Tidewater', has: ({ cves }) => some(cves) },
  { path: '/cve/stats/epss', has: ({ distribution }) => some(distribution) },
  { path: '/cve/stats/top-products', has: (list) => some(list) },
  { path: '/cve-watch/perimeters', has: ({ perimeters: [first] }) => first.openFindings.P1 > 0 },
  { path: '/cve-watch/findings', has: ({ total }) => total >= 5 },
  { path: '/ransomware/feed', has: ({ victims }) => victims.length > 10 },
  { path: '/ransomware/stats', has: ({ totalVictims, last7d }) => totalVictims > 50 && last7d > 0 },
  { path: '/ransomware/groups', has: ({ groups }) => groups.length >= 6 },
  { path: '/ransomware/press', has: ({ entries }) => some(entries) },
  { path: '/check/ransomware?query=quartzpay.example.com', has: ({ found }) => found === true },
  {
    path: '/api/pwned-passwords/range/5BAA6',
    has: ({ entries }) => entries.some(({ suffix }: Json) => suffix === '1E4C9B93F3F0'),
  },
  { path: '/org/indicators', has: ({ total }) => total >= 8 },
  { path: '/org/blocklists/domains', has: (_, text) => text.includes('signin.kestrelpay.example.net\n') },
  { path: '/blocklist/download/blocklist-ips-c2.txt', has: isListOf(/^\d+\.\d+\.\d+\.\d+$/) },
  {
    path: '/blocklist/download/blocklist-domains-phishing.txt',
    has: isListOf(/\.example\.(?:com|net|org)$/),
  },
  { path: '/taxii2/api-root/collections/malicious-ips/objects?limit=5', has: ({ objects }) => some(objects) },
  { path: '/mmdb/info', has: ({ available, nodeCount }) => available === true && nodeCount > 10_000 },
  { path: '/monitoring', has: ({ items }) => items.some(({ lastChangeAt }: Json) => lastChangeAt !== null) },
  {
    path: '/alerts?limit=50',
    has: ({ alerts }) =>
      ['reputation.changed', 'ransomware.claim', 'cve.finding'].every((type) =>
        alerts.some((alert: Json) => alert.type === type),
      ),
  },
  { path: '/cases', has: (cases) => cases.length >= 4 && some(cases[0].evidence) },
  { path: '/action-center/overview', has: ({ priorityQueue }) => some(priorityQueue) },
  { path: '/risk-brief/latest', has: ({ data }) => data !== null },
  { path: '/reports', has: ({ reports }) => reports.length >= 4 },
  { path: '/user/webhooks', has: ({ webhooks: [first] }) => first.lastStatus === 200 && !first.enabled },
  { path: '/platform/data-freshness', has: ({ datasets }) => datasets.length > 30 },
  {
    path: '/mail/scan',
    body: { eml: MESSAGE },
    has: (_, text) => text.includes('signin.kestrelpay.example.net'),
  },
];
