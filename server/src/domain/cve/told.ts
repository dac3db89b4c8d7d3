/**
 * What one document of one source says about one CVE. Rows are stored as they were told and merged when they are read,
 * so a source that withdraws a statement takes only its own away.
 */
export type ToldCve = {
  readonly cveId: string;
  readonly source: CveSource;
  /** The name of the document at its source: a CVE id, an advisory, a template, a module. (cveId, source, document) is a key. */
  readonly document: string;
  /** Null where the source does not decide whether a CVE is rejected. */
  readonly state: CveState | null;
  readonly title: string | null;
  readonly description: string | null;
  /** ISO 8601 in UTC. */
  readonly published: string | null;
  readonly modified: string | null;
  readonly scores: readonly ToldScore[];
  readonly cwes: readonly string[];
  readonly references: readonly ToldReference[];
  /** Advisories of other registers about the same flaw: GHSA, PYSEC and GO ids. */
  readonly aliases: readonly string[];
  readonly affected: readonly ToldAffected[];
  readonly packages: readonly ToldPackage[];
  readonly configurations: readonly ToldConfiguration[];
  readonly kev: ToldKev | null;
  readonly epss: ToldEpss | null;
  readonly ssvc: ToldSsvc | null;
  readonly exploits: readonly ToldExploit[];
  readonly techniques: readonly ToldTechnique[];
};

/** In order of precedence: a plain field (title, description, dates) is taken from the first source that has it. */
export const CVE_SOURCES = [
  'cna',
  'nvd',
  'cisa-adp',
  'adp',
  'osv',
  'kev',
  'nvd-overrides',
  'nuclei',
  'metasploit',
  'exploitdb',
  'epss',
  'ctid',
] as const;
export type CveSource = (typeof CVE_SOURCES)[number];

export type CveState = 'PUBLISHED' | 'REJECTED';
export type CveSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'NONE' | 'UNKNOWN';
export type CvssVersion = '3.1' | '4.0' | '3.0' | '2.0';

/** Who assigned a score. NVD repeats the scores of others, so this is not always the source of the document. */
export type ScoreAssigner = 'nvd' | 'cna' | 'cisa-adp' | 'other';

export type ToldScore = {
  readonly assigner: ScoreAssigner;
  /** The assigner's own name: `nvd@nist.gov`, `apache`, `GitHub_M`. */
  readonly source: string;
  /** Null where a source gives a number without saying which CVSS it is. */
  readonly version: CvssVersion | null;
  readonly score: number;
  readonly severity: CveSeverity;
  readonly vector: string | null;
};

export type ToldReference = { readonly source: string; readonly url: string };

export type AffectedStatus = 'affected' | 'unaffected' | 'unknown';

/** An entry of `affected` of the CVE record format 5. */
export type ToldAffected = {
  readonly vendor: string | null;
  readonly product: string | null;
  /** Where the entry names a package of a registry. */
  readonly package: PackageName | null;
  readonly cpes: readonly string[];
  readonly platforms: readonly string[];
  /** The status of versions that no entry of `versions` covers; the default of the format is `unknown`. */
  readonly defaultStatus: AffectedStatus;
  readonly versions: readonly ToldVersions[];
};

/** One version, or a range from `version` up to a bound; `changes` alter the status inside the range. */
export type ToldVersions = {
  readonly status: AffectedStatus;
  readonly version: string;
  readonly lessThan: string | null;
  readonly lessThanOrEqual: string | null;
  readonly versionType: string | null;
  readonly changes: readonly { readonly at: string; readonly status: AffectedStatus }[];
};

/** `ecosystem` as OSV writes it (`PyPI`, `npm`, `Maven`, `Go`, `Debian:12`); `name` as the registry compares it. */
export type PackageName = { readonly ecosystem: string; readonly name: string };

/** An entry of `affected` of OSV. */
export type ToldPackage = PackageName & {
  readonly ranges: readonly ToldRange[];
  readonly versions: readonly string[];
};

export type ToldRange = {
  readonly type: 'SEMVER' | 'ECOSYSTEM' | 'GIT';
  readonly events: readonly ToldEvent[];
};
export type ToldEvent = {
  /** `last_known`: a fix exists without a version; whether later versions have it is not known. */
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit' | 'last_known';
  readonly version: string;
};

/** A configuration of NVD 2.0: nodes joined by `operator`, each a set of CPE matches. */
export type ToldConfiguration = {
  readonly operator: 'AND' | 'OR';
  readonly negate: boolean;
  readonly nodes: readonly ToldNode[];
};
export type ToldNode = {
  readonly operator: 'AND' | 'OR';
  readonly negate: boolean;
  readonly matches: readonly ToldCpeMatch[];
};
export type ToldCpeMatch = {
  /** False for what only has to be present beside the flaw, such as the platform; such a CPE never matches alone. */
  readonly vulnerable: boolean;
  readonly criteria: string;
  readonly startIncluding: string | null;
  readonly startExcluding: string | null;
  readonly endIncluding: string | null;
  readonly endExcluding: string | null;
};

export type ToldKev = {
  readonly dateAdded: string;
  readonly dueDate: string | null;
  readonly requiredAction: string | null;
  readonly ransomwareUse: 'Known' | 'Unknown';
  readonly shortDescription: string | null;
  readonly vendor: string | null;
  readonly product: string | null;
};

export type ToldEpss = {
  /** Both from 0 to 1. */
  readonly score: number;
  readonly percentile: number | null;
  /** The day of the model's run. */
  readonly date: string | null;
};

export type SsvcExploitation = 'none' | 'poc' | 'active';
export type ToldSsvc = {
  readonly exploitation: SsvcExploitation | null;
  readonly automatable: boolean | null;
  readonly technicalImpact: 'partial' | 'total' | null;
  readonly date: string | null;
};

export type ToldExploit = {
  readonly kind: 'nuclei' | 'exploitdb' | 'metasploit';
  /** The path of a template, the number of an ExploitDB entry, or the name of a Metasploit module. */
  readonly id: string;
  readonly title: string | null;
};

export type ToldTechnique = {
  /** An ATT&CK id: T1190, T1059.001. */
  readonly id: string;
  readonly name: string | null;
  readonly relation: 'exploitation' | 'primary-impact' | 'secondary-impact' | 'other';
};

/** A document, or a part of one, that was not understood; `document` names where, `reason` says why. */
export type CveRefusal = { readonly document: string; readonly reason: CveRefusalReason };
export type CveRefusalReason =
  | 'not-json'
  | 'not-yaml'
  | 'not-an-object'
  | 'wrong-format'
  /** The document names another number of entries than it has. */
  | 'wrong-total'
  | 'bad-cve-id'
  | 'no-cve-id'
  | 'withdrawn'
  | 'bad-number'
  | 'bad-date'
  | 'too-many-columns'
  | 'too-large';

export type CveReading = { readonly told: readonly ToldCve[]; readonly refused: readonly CveRefusal[] };

/** A row that says nothing yet; readers fill in what their source tells. */
export const toldNothing = (cveId: string, source: CveSource, document: string): ToldCve => ({
  cveId,
  source,
  document,
  state: null,
  title: null,
  description: null,
  published: null,
  modified: null,
  scores: [],
  cwes: [],
  references: [],
  aliases: [],
  affected: [],
  packages: [],
  configurations: [],
  kev: null,
  epss: null,
  ssvc: null,
  exploits: [],
  techniques: [],
});
