import { DESCRIPTION_MAX, distinct } from './fields.ts';
import { kevStatements } from './kev-products/kev-products.ts';
import { productNames } from './named-products.ts';
import { cpeNames, statedNames, vulnerableCpes } from './product-names.ts';
import {
  CVE_SOURCES,
  type CveSeverity,
  type CveState,
  type CvssVersion,
  type SsvcExploitation,
  type ToldCve,
  type ToldReference,
  type ToldScore,
  type ToldTechnique,
} from './told.ts';

/** A CVE as the API answers it (decisions 3.8), merged from what all sources say. */
export type CveRecord = {
  readonly id: string;
  readonly state: CveState;
  readonly title: string;
  readonly description: string | null;
  readonly severity: CveSeverity;
  readonly cvssScore: number | null;
  readonly cvssVector: string | null;
  readonly cvssVersion: CvssVersion | null;
  /** The chosen score first, then all others. */
  readonly scores: readonly ToldScore[];
  readonly epssScore: number | null;
  readonly epssPercentile: number | null;
  readonly epssPercent: number | null;
  readonly isKev: boolean;
  readonly kev: KevOfRecord | null;
  readonly ssvcExploitation: SsvcExploitation | null;
  readonly exploitdbIds: readonly string[];
  readonly hasNucleiTemplate: boolean;
  readonly metasploitModules: readonly string[];
  readonly techniques: readonly ToldTechnique[];
  readonly ghsaIds: readonly string[];
  readonly cwes: readonly string[];
  readonly cpes: readonly string[];
  readonly vendors: readonly string[];
  readonly products: readonly string[];
  readonly references: readonly ToldReference[];
  readonly published: string | null;
  readonly lastModified: string | null;
  /** The source of each field that has a value; the sources of a list are joined by commas. */
  readonly provenance: Readonly<Record<string, string>>;
};

export type KevOfRecord = {
  readonly listed: true;
  readonly dateAdded: string;
  readonly dueDate: string | null;
  readonly requiredAction: string | null;
  readonly ransomwareUse: 'Known' | 'Unknown';
  readonly shortDescription: string | null;
};

export type MergeContext = {
  /** If the KEV catalogue is loaded, it alone decides; the KEV entry of an ADP counts only without it. */
  readonly isKevLoaded: boolean;
};

const CPES_MAX = 5000;
const LIST_MAX = 1000;
const TITLE_MAX = 160;

/** `told` are all rows of the CVE `id`, in any order. */
export function mergeCve(id: string, told: readonly ToldCve[], context: MergeContext): CveRecord {
  const rows = inOrder(told);
  const provenance: Record<string, string> = {};
  const first = <T>(field: string, pick: (row: ToldCve) => T | null): T | null => {
    const row = rows.find((candidate) => pick(candidate) !== null);
    if (row !== undefined) provenance[field] = row.source;
    return row === undefined ? null : pick(row);
  };
  const all = <T>(field: string, pick: (row: ToldCve) => readonly T[], max = LIST_MAX): readonly T[] => {
    const picked = rows.map(pick);
    const sources = distinct(rows.flatMap(({ source }, at) => (picked[at]?.length ? [source] : [])));
    if (sources.length > 0) provenance[field] = sources.join(',');
    return distinct(picked.flat()).slice(0, max);
  };
  const description = first('description', (row) => row.description);
  const exploits = (kind: string) => (row: ToldCve) =>
    row.exploits.flatMap((exploit) => (exploit.kind === kind ? [exploit.id] : []));
  const names = productNames(rows);
  const ofKev = kevStatements(rows);
  all('products', (row) => [...cpeNames(row), ...statedNames(row), ...(row.source === 'kev' ? ofKev : [])]);
  return {
    id,
    state: first('state', (row) => row.state) ?? 'PUBLISHED',
    title: first('title', (row) => row.title) ?? titleFrom(description) ?? id,
    description,
    ...chosenScore(rows, provenance),
    ...epssOf(rows, provenance),
    ...kevOf(rows, context, provenance),
    ssvcExploitation: ssvcOf(rows, provenance),
    exploitdbIds: all('exploitdbIds', exploits('exploitdb')),
    hasNucleiTemplate: all('hasNucleiTemplate', exploits('nuclei')).length > 0,
    metasploitModules: all('metasploitModules', exploits('metasploit')),
    techniques: distinctBy(
      rows.flatMap(({ techniques }) => techniques),
      ({ id: technique, relation }) => `${technique} ${relation}`,
    ),
    ghsaIds: all('ghsaIds', ({ aliases, document }) =>
      [document, ...aliases].filter((alias) => alias.startsWith('GHSA-')),
    ),
    cwes: all('cwes', ({ cwes }) => cwes),
    cpes: all('cpes', vulnerableCpes, CPES_MAX),
    vendors: distinctBy(
      names.map(({ vendor }) => vendor),
      (vendor) => vendor.toLowerCase(),
    ),
    products: distinctBy(
      names.map(({ product }) => product),
      (product) => product.toLowerCase(),
    ),
    references: distinctBy(
      rows.flatMap(({ references }) => references),
      ({ url }) => url,
    ).slice(0, LIST_MAX),
    published: first('published', (row) => row.published),
    lastModified: latest(rows, provenance),
    provenance,
  };
}

/** By the order of sources, then by document, so that the same rows always make the same record. */
function inOrder(told: readonly ToldCve[]): readonly ToldCve[] {
  const rank = ({ source }: ToldCve) => CVE_SOURCES.indexOf(source);
  return told.toSorted((a, b) => rank(a) - rank(b) || (a.document < b.document ? -1 : 1));
}

function titleFrom(description: string | null): string | null {
  const [sentence = ''] = (description ?? '').slice(0, DESCRIPTION_MAX).split(/(?<=[.!?])\s/, 1);
  if (sentence === '') return null;
  return sentence.length <= TITLE_MAX ? sentence : `${sentence.slice(0, TITLE_MAX - 1).trimEnd()}…`;
}

const VERSION_ORDER: readonly (CvssVersion | null)[] = ['3.1', '4.0', '3.0', '2.0', null];
const ASSIGNER_ORDER: readonly string[] = ['nvd', 'cna', 'cisa-adp', 'other'];

/** The version decides first, then who assigned the score (decisions 3.8). */
export function compareScores(a: ToldScore, b: ToldScore): number {
  return (
    VERSION_ORDER.indexOf(a.version) - VERSION_ORDER.indexOf(b.version) ||
    ASSIGNER_ORDER.indexOf(a.assigner) - ASSIGNER_ORDER.indexOf(b.assigner) ||
    b.score - a.score ||
    (`${a.source} ${a.vector}` < `${b.source} ${b.vector}` ? -1 : 1)
  );
}

function chosenScore(rows: readonly ToldCve[], provenance: Record<string, string>) {
  const told = rows.flatMap(({ scores }) => scores).toSorted(compareScores);
  // NVD repeats the scores of CNAs and CISA with other names of the assigner, so the name is not compared for them.
  const scores = distinctBy(told, ({ assigner, source, version, score, vector }) =>
    [assigner, assigner === 'other' ? source : '', version, score, vector].join(' '),
  );
  const [chosen] = scores;
  if (chosen === undefined)
    return { severity: 'UNKNOWN', cvssScore: null, cvssVector: null, cvssVersion: null, scores } as const;
  const by = chosen.assigner === 'other' ? chosen.source : chosen.assigner;
  const fields = {
    severity: chosen.severity,
    cvssScore: chosen.score,
    cvssVector: chosen.vector,
    cvssVersion: chosen.version,
  };
  for (const [field, value] of Object.entries(fields)) if (value !== null) provenance[field] = by;
  return { ...fields, scores };
}

function epssOf(rows: readonly ToldCve[], provenance: Record<string, string>) {
  const row = rows.find(({ epss }) => epss !== null);
  if (row?.epss == null) return { epssScore: null, epssPercentile: null, epssPercent: null };
  provenance.epssScore = row.source;
  const { score, percentile } = row.epss;
  return { epssScore: score, epssPercentile: percentile, epssPercent: Math.round(score * 10_000) / 100 };
}

function kevOf(rows: readonly ToldCve[], { isKevLoaded }: MergeContext, provenance: Record<string, string>) {
  const listed = rows.filter(({ kev }) => kev !== null);
  const catalogue = listed.find(({ source }) => source === 'kev');
  const row = catalogue ?? (isKevLoaded ? undefined : listed[0]);
  if (row?.kev == null) return { isKev: false, kev: null };
  provenance.kev = row.source;
  const { dateAdded, dueDate, requiredAction, ransomwareUse, shortDescription } = row.kev;
  const kev: KevOfRecord = {
    listed: true,
    dateAdded,
    dueDate,
    requiredAction,
    ransomwareUse,
    shortDescription,
  };
  return { isKev: true, kev };
}

/** CISA decides; a CNA's own decision counts where CISA has none. */
function ssvcOf(rows: readonly ToldCve[], provenance: Record<string, string>): SsvcExploitation | null {
  const decided = rows.filter(({ ssvc }) => ssvc?.exploitation != null);
  const row = decided.find(({ source }) => source === 'cisa-adp') ?? decided[0];
  if (row === undefined) return null;
  provenance.ssvcExploitation = row.source;
  return row.ssvc?.exploitation ?? null;
}

function latest(rows: readonly ToldCve[], provenance: Record<string, string>): string | null {
  let found: string | null = null;
  for (const { modified, source } of rows) {
    if (modified === null || (found !== null && modified <= found)) continue;
    found = modified;
    provenance.lastModified = source;
  }
  return found;
}

function distinctBy<T>(values: readonly T[], keyOf: (value: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const value of values) {
    const key = keyOf(value);
    if (!byKey.has(key)) byKey.set(key, value);
  }
  return [...byKey.values()];
}
