import { DAY_MS } from '../../server/src/platform/time-units.ts';
import { type Random, randomOf } from './random.ts';

/** Invented vulnerabilities of invented products, in the formats in which NVD, CISA and FIRST publish real ones. */

type Score = readonly [score: number, severity: string, vector: string];
const SCORES = {
  critical: [9.8, 'CRITICAL', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'],
  high: [8.8, 'HIGH', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H'],
  outage: [7.5, 'HIGH', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'],
  local: [7.8, 'HIGH', 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H'],
  script: [6.1, 'MEDIUM', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N'],
  leak: [5.3, 'MEDIUM', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N'],
  minor: [3.3, 'LOW', 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N'],
} as const satisfies Readonly<Record<string, Score>>;

const FLAWS = [
  ['command injection', 'CWE-78', 'critical'],
  ['authentication bypass', 'CWE-287', 'critical'],
  ['SQL injection', 'CWE-89', 'high'],
  ['path traversal', 'CWE-22', 'high'],
  ['deserialization of untrusted data', 'CWE-502', 'high'],
  ['uncontrolled memory use', 'CWE-400', 'outage'],
  ['privilege escalation', 'CWE-269', 'local'],
  ['cross-site scripting', 'CWE-79', 'script'],
  ['open redirect', 'CWE-601', 'script'],
  ['information disclosure', 'CWE-200', 'leak'],
  ['insufficient logging', 'CWE-778', 'minor'],
] as const satisfies readonly (readonly [string, string, keyof typeof SCORES])[];
type Flaw = (typeof FLAWS)[number];

const PRODUCTS = [
  ['tidewater', 'cms', 'Tidewater CMS'],
  ['bluepine', 'vpn_gateway', 'Bluepine VPN Gateway'],
  ['northwharf', 'file_server', 'Northwharf File Server'],
  ['lumenpost', 'mail_server', 'Lumenpost Mail Server'],
  ['quartzpay', 'payment_terminal', 'Quartzpay Payment Terminal'],
  ['orchardmail', 'webmail', 'Orchardmail Webmail'],
  ['ferrydrop', 'sync_agent', 'Ferrydrop Sync Agent'],
  ['harborbank', 'mobile_app', 'Harborbank Mobile App'],
  ['mapleloan', 'customer_portal', 'Mapleloan Customer Portal'],
  ['kestrelpay', 'api_gateway', 'Kestrelpay API Gateway'],
] as const;
type Product = (typeof PRODUCTS)[number];

export type Vulnerability = {
  readonly id: string;
  readonly product: Product;
  readonly flaw: Flaw;
  readonly publishedMs: number;
  /** The first version without the flaw. */
  readonly fixedIn: string;
  readonly epss: number;
  readonly exploitedSinceMs: number | null;
  readonly isInRansomware: boolean;
};

const COUNT = 140;
const AGE_DAYS_MAX = 420;
/** Numbers of seven digits, which no authority has assigned in any year. */
const FIRST_NUMBER = 9_900_001;

type Story = Partial<Pick<Vulnerability, 'isInRansomware'>> & {
  readonly product: number;
  readonly flaw: number;
  readonly ageDays: number;
  readonly fixedIn: string;
  readonly epss: number;
  readonly exploitedDays: number | null;
};

/** The vulnerabilities that the inventory of the demonstration has, newest last. */
const STORIES: readonly Story[] = [
  { product: 0, flaw: 2, ageDays: 96, fixedIn: '4.2.3', epss: 0.31, exploitedDays: 70 },
  { product: 1, flaw: 1, ageDays: 41, fixedIn: '9.1.4', epss: 0.82, exploitedDays: 33, isInRansomware: true },
  { product: 2, flaw: 3, ageDays: 27, fixedIn: '12.0.8', epss: 0.12, exploitedDays: null },
  { product: 3, flaw: 7, ageDays: 18, fixedIn: '3.7.1', epss: 0.02, exploitedDays: null },
  { product: 5, flaw: 9, ageDays: 11, fixedIn: '2.4.0', epss: 0.01, exploitedDays: null },
];
/** Published since the inventory was scanned, so that the demonstration shows findings that are new. */
const NEWS: readonly Story[] = [
  { product: 0, flaw: 0, ageDays: 2, fixedIn: '4.2.9', epss: 0.64, exploitedDays: 1, isInRansomware: true },
  { product: 3, flaw: 4, ageDays: 1, fixedIn: '3.7.4', epss: 0.14, exploitedDays: null },
];

export function vulnerabilitiesAt(todayMs: number): {
  readonly known: readonly Vulnerability[];
  readonly news: readonly Vulnerability[];
} {
  const random = randomOf('vulnerabilities');
  const told = [...STORIES, ...NEWS].map((story, nth) => ofStory(story, nth, todayMs));
  const others = Array.from({ length: COUNT - told.length }, (_, nth) =>
    drawn(random, told.length + nth, todayMs),
  );
  return { known: [...told.slice(0, STORIES.length), ...others], news: told.slice(STORIES.length) };
}

/** The first vulnerability of the news: exploited since yesterday, and in the inventory. */
export const newestVulnerability = (todayMs: number): string =>
  idOf(STORIES.length, todayMs - (NEWS[0]?.ageDays ?? 0) * DAY_MS);

const idOf = (nth: number, publishedMs: number): string =>
  `CVE-${new Date(publishedMs).getUTCFullYear()}-${FIRST_NUMBER + nth}`;

function ofStory(story: Story, nth: number, todayMs: number): Vulnerability {
  const publishedMs = todayMs - story.ageDays * DAY_MS;
  return {
    id: idOf(nth, publishedMs),
    product: PRODUCTS[story.product] ?? PRODUCTS[0],
    flaw: FLAWS[story.flaw] ?? FLAWS[0],
    publishedMs,
    fixedIn: story.fixedIn,
    epss: story.epss,
    exploitedSinceMs: story.exploitedDays === null ? null : todayMs - story.exploitedDays * DAY_MS,
    isInRansomware: story.isInRansomware === true,
  };
}

function drawn(random: Random, nth: number, todayMs: number): Vulnerability {
  const ageDays = 3 + random.below(AGE_DAYS_MAX);
  const publishedMs = todayMs - ageDays * DAY_MS;
  const isExploited = random.share() < 0.06;
  const epss = random.share() ** 4 * 0.6 + (isExploited ? 0.3 : 0);
  return {
    id: idOf(nth, publishedMs),
    product: random.pick(PRODUCTS),
    flaw: random.pick(FLAWS),
    publishedMs,
    // Versions before those of the inventory, whose findings are those of the stories alone.
    fixedIn: `1.${random.below(9)}.${random.below(30)}`,
    epss: Number(epss.toFixed(5)),
    exploitedSinceMs: isExploited ? publishedMs + random.below(ageDays) * DAY_MS : null,
    isInRansomware: isExploited && random.share() < 0.4,
  };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
const dayOf = (ms: number): string => isoOf(ms).slice(0, 10);
/** NVD writes times without a zone. */
const nvdTime = (ms: number): string => isoOf(ms).slice(0, 23);

const summaryOf = ({ product: [, , name], flaw: [flaw], fixedIn }: Vulnerability): string =>
  `${name} before ${fixedIn} allows ${flaw}. (Invented for the demonstration.)`;
const urlOf = ({ id, product: [vendor] }: Vulnerability): string =>
  `https://advisories.${vendor}.example.com/${id.toLowerCase()}`;

/** An answer of the NVD API. */
export const renderNvd = (vulnerabilities: readonly Vulnerability[]): string =>
  JSON.stringify({ vulnerabilities: vulnerabilities.map((each) => ({ cve: nvdRecord(each) })) });

function nvdRecord(each: Vulnerability): object {
  const { id, product, flaw, publishedMs, fixedIn } = each;
  const [baseScore, baseSeverity, vectorString] = SCORES[flaw[2]];
  const criteria = `cpe:2.3:a:${product[0]}:${product[1]}:*:*:*:*:*:*:*:*`;
  const match = { vulnerable: true, criteria, versionEndExcluding: fixedIn };
  return {
    id,
    sourceIdentifier: `security@${product[0]}.example.com`,
    published: nvdTime(publishedMs),
    lastModified: nvdTime(publishedMs),
    vulnStatus: 'Analyzed',
    descriptions: [{ lang: 'en', value: summaryOf(each) }],
    metrics: {
      cvssMetricV31: [
        {
          source: 'nvd@nist.gov',
          type: 'Primary',
          cvssData: { version: '3.1', vectorString, baseScore, baseSeverity },
        },
      ],
    },
    weaknesses: [{ source: 'nvd@nist.gov', description: [{ lang: 'en', value: flaw[1] }] }],
    references: [{ url: urlOf(each), source: `security@${product[0]}.example.com` }],
    configurations: [{ nodes: [{ operator: 'OR', negate: false, cpeMatch: [match] }] }],
  };
}

const REMEDY_DAYS = 21;

/** The catalogue of known exploited vulnerabilities. */
export function renderKev(vulnerabilities: readonly Vulnerability[], todayMs: number): string {
  const entries = vulnerabilities.flatMap((each) => {
    const { id, product, flaw, exploitedSinceMs, isInRansomware } = each;
    if (exploitedSinceMs === null) return [];
    return [
      {
        cveID: id,
        vendorProject: product[2].split(' ')[0],
        product: product[2],
        vulnerabilityName: `${product[2]} ${flaw[0]}`,
        dateAdded: dayOf(exploitedSinceMs),
        shortDescription: summaryOf(each),
        requiredAction: `Update to ${each.fixedIn} or newer.`,
        dueDate: dayOf(exploitedSinceMs + REMEDY_DAYS * DAY_MS),
        knownRansomwareCampaignUse: isInRansomware ? 'Known' : 'Unknown',
        notes: urlOf(each),
        cwes: [flaw[1]],
      },
    ];
  });
  return JSON.stringify({
    title: 'Invented catalogue of exploited vulnerabilities',
    catalogVersion: dayOf(todayMs).replaceAll('-', '.'),
    dateReleased: isoOf(todayMs),
    count: entries.length,
    vulnerabilities: entries,
  });
}

/** A day of exploit prediction scores; `share` of each score was there on an earlier day. */
export function renderEpss(vulnerabilities: readonly Vulnerability[], dayMs: number, share = 1): string {
  const rows = vulnerabilities
    .map(({ id, epss }) => ({ id, epss: Math.min(0.97, epss * share) }))
    .toSorted((a, b) => a.epss - b.epss);
  return [
    `#model_version:v2025.03.14,score_date:${dayOf(dayMs)}T00:00:00+0000`,
    'cve,epss,percentile',
    ...rows.map(({ id, epss }, at) => `${id},${epss.toFixed(5)},${((at + 1) / rows.length).toFixed(5)}`),
  ].join('\n');
}

/** Components of the inventory, each with a version that some of the stories affect. */
const INVENTORY = [
  [0, '4.2.2'],
  [1, '9.1.2'],
  [2, '12.0.5'],
  [3, '3.6.9'],
  [5, '2.3.7'],
  [6, '5.5.0'],
  [9, '7.1.1'],
] as const;

/** A software bill of materials of the invented web shop, in CycloneDX. */
export function renderInventory(): string {
  const components = INVENTORY.flatMap(([at, version]) => {
    const [vendor, product, name] = PRODUCTS[at] ?? PRODUCTS[0];
    const cpe = `cpe:2.3:a:${vendor}:${product}:${version}:*:*:*:*:*:*:*`;
    return [{ type: 'application', 'bom-ref': product, publisher: vendor, name, version, cpe }];
  });
  return JSON.stringify({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': 'web-shop', name: 'Web shop (invented)' } },
    components,
    dependencies: [{ ref: 'web-shop', dependsOn: components.map((each) => each['bom-ref']) }],
  });
}
