import { scoreFrom } from './cvss.ts';
import {
  cveIdAt,
  cwesIn,
  DESCRIPTION_MAX,
  dateAt,
  fieldOf,
  joinReadings,
  listAt,
  NAME_MAX,
  REFERENCES_MAX,
  readingOf,
  referenceTo,
  refusal,
  textAt,
  textsAt,
  VERSION_MAX,
} from './fields.ts';
import {
  type CveReading,
  type CvssVersion,
  type ScoreAssigner,
  type ToldConfiguration,
  type ToldCpeMatch,
  type ToldCve,
  type ToldNode,
  type ToldScore,
  toldNothing,
} from './told.ts';

const CISA_ADP = '134c704f-9b21-4f2e-91b3-4a467353bcc0';
const NVD = 'nvd@nist.gov';
const PAGE_MAX = 100_000;
const MATCHES_MAX = 20_000;

/** An answer or a file of the NVD API 2.0: `{vulnerabilities: [{cve}]}`, or one item of it. */
export function readNvd(document: string, json: unknown): CveReading {
  const items = fieldOf(json, 'vulnerabilities');
  if (Array.isArray(items))
    return joinReadings(items.slice(0, PAGE_MAX).map((item, at) => readItem(`${document} ${at}`, item)));
  return readItem(document, json);
}

function readItem(document: string, item: unknown): CveReading {
  const cve = fieldOf(item, 'cve') ?? item;
  const id = fieldOf(cve, 'id');
  if (id === undefined) return refusal(document, 'wrong-format');
  const cveId = cveIdAt(cve, 'id');
  return cveId === null ? refusal(document, 'bad-cve-id') : readingOf([toldBy(cveId, cve)]);
}

function toldBy(cveId: string, cve: unknown): ToldCve {
  const english = (name: string) =>
    listAt(cve, name).find((text) => textAt(text, 'lang', 20)?.startsWith('en') ?? false);
  const weaknesses = listAt(cve, 'weaknesses').flatMap((weakness) => listAt(weakness, 'description'));
  const owner = textAt(cve, 'sourceIdentifier', NAME_MAX);
  return {
    ...toldNothing(cveId, 'nvd', cveId),
    state: textAt(cve, 'vulnStatus', 40)?.toLowerCase() === 'rejected' ? 'REJECTED' : 'PUBLISHED',
    title: textAt(cve, 'cisaVulnerabilityName', NAME_MAX),
    description: textAt(english('descriptions'), 'value', DESCRIPTION_MAX),
    published: dateAt(cve, 'published'),
    modified: dateAt(cve, 'lastModified'),
    scores: readScores(fieldOf(cve, 'metrics'), owner),
    cwes: cwesIn(weaknesses.map((text) => textAt(text, 'value', NAME_MAX))),
    references: listAt(cve, 'references', REFERENCES_MAX).flatMap((item) =>
      referenceTo(textAt(item, 'source', NAME_MAX) ?? 'nvd', textAt(item, 'url', 3000)),
    ),
    configurations: listAt(cve, 'configurations').map(readConfiguration),
  };
}

const METRICS: readonly (readonly [string, CvssVersion])[] = [
  ['cvssMetricV40', '4.0'],
  ['cvssMetricV31', '3.1'],
  ['cvssMetricV30', '3.0'],
  ['cvssMetricV2', '2.0'],
];

function readScores(metrics: unknown, owner: string | null): readonly ToldScore[] {
  return METRICS.flatMap(([field, version]) =>
    listAt(metrics, field, 50).flatMap((metric) => {
      const source = textAt(metric, 'source', NAME_MAX) ?? NVD;
      // For version 2 NVD writes the severity beside the CVSS data and not inside it.
      const severity = textAt(metric, 'baseSeverity', 20);
      const by = { assigner: assignerOf(source, owner), source };
      return scoreFrom(fieldOf(metric, 'cvssData'), version, by, severity);
    }),
  );
}

function assignerOf(source: string, owner: string | null): ScoreAssigner {
  if (source === NVD) return 'nvd';
  if (source === CISA_ADP) return 'cisa-adp';
  return source === owner ? 'cna' : 'other';
}

export const readConfiguration = (configuration: unknown): ToldConfiguration => ({
  operator: fieldOf(configuration, 'operator') === 'AND' ? 'AND' : 'OR',
  negate: fieldOf(configuration, 'negate') === true,
  nodes: listAt(configuration, 'nodes').map(readNode),
});

const readNode = (node: unknown): ToldNode => ({
  operator: fieldOf(node, 'operator') === 'AND' ? 'AND' : 'OR',
  negate: fieldOf(node, 'negate') === true,
  matches: listAt(node, 'cpeMatch', MATCHES_MAX).flatMap(readMatch),
});

function readMatch(match: unknown): readonly ToldCpeMatch[] {
  const criteria = textAt(match, 'criteria', 500);
  if (criteria === null) return [];
  return [
    {
      vulnerable: fieldOf(match, 'vulnerable') === true,
      criteria,
      startIncluding: textAt(match, 'versionStartIncluding', VERSION_MAX),
      startExcluding: textAt(match, 'versionStartExcluding', VERSION_MAX),
      endIncluding: textAt(match, 'versionEndIncluding', VERSION_MAX),
      endExcluding: textAt(match, 'versionEndExcluding', VERSION_MAX),
    },
  ];
}

/** A correction of NVD's configurations (anchore/nvd-data-overrides). One without content withdraws an earlier one. */
export function readNvdOverride(document: string, json: unknown): CveReading {
  const annotation = fieldOf(json, '_annotation');
  const cve = fieldOf(json, 'cve');
  if (annotation === undefined || cve === undefined) return refusal(document, 'wrong-format');
  const cveId = cveIdAt(annotation, 'cve_id');
  if (cveId === null) return refusal(document, 'bad-cve-id');
  const configurations = listAt(cve, 'configurations').map(readConfiguration);
  const added = listAt(cve, 'references', REFERENCES_MAX).flatMap((item) => textAt(item, 'url', 3000) ?? []);
  if (configurations.length === 0 && added.length === 0) return refusal(document, 'withdrawn');
  const references = [...textsAt(annotation, 'references', 3000, REFERENCES_MAX), ...added];
  return readingOf([
    {
      ...toldNothing(cveId, 'nvd-overrides', cveId),
      description: textAt(annotation, 'description', DESCRIPTION_MAX),
      published: dateAt(annotation, 'published'),
      modified: dateAt(annotation, 'modified'),
      references: references.flatMap((url) => referenceTo('nvd-overrides', url)),
      configurations,
    },
  ]);
}
