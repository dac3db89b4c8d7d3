import { fieldOf, numberAt, textAt } from './fields.ts';
import type { CveSeverity, CvssVersion, ScoreAssigner, ToldScore } from './told.ts';

const SEVERITIES: readonly string[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE'];
const VECTOR_MAX = 400;

/** The bands of the CVSS documents; version 2 has neither NONE nor CRITICAL. */
export function severityOf(version: CvssVersion | null, score: number): CveSeverity {
  if (version !== '2.0' && score === 0) return 'NONE';
  if (score < 4) return 'LOW';
  if (score < 7) return 'MEDIUM';
  return score < 9 || version === '2.0' ? 'HIGH' : 'CRITICAL';
}

/** The CVSS version of a vector; most documents write vectors of version 2 without the prefix `CVSS:2.0/`. */
export function versionOfVector(vector: string | null): CvssVersion | null {
  const head = /^CVSS:(4\.0|3\.1|3\.0|2\.0)\//.exec(vector ?? '')?.[1];
  if (head !== undefined) return head as CvssVersion;
  return vector !== null && /^\(?AV:[NAL]\/AC:[HML]\/Au:/.test(vector) ? '2.0' : null;
}

type Assigned = { readonly assigner: ScoreAssigner; readonly source: string };

/** Reads a score from CVSS `data` of a CVE record or of NVD: `baseScore`, `vectorString` and mostly `baseSeverity`. */
export function scoreFrom(
  data: unknown,
  version: CvssVersion,
  by: Assigned,
  outerSeverity: string | null = null,
): readonly ToldScore[] {
  const score = numberAt(data, 'baseScore');
  const vector = textAt(data, 'vectorString', VECTOR_MAX);
  if (score === null || score < 0 || score > 10) return [];
  const told = (textAt(data, 'baseSeverity', 20) ?? outerSeverity)?.toUpperCase() ?? '';
  const severity = SEVERITIES.includes(told) ? (told as CveSeverity) : severityOf(version, score);
  return [{ assigner: by.assigner, source: by.source, version, score, severity, vector }];
}

/** A score from number and vector alone; either may be missing. Without a vector the CVSS version is unknown. */
export function scoreOf(score: number | null, vector: string | null, by: Assigned): readonly ToldScore[] {
  const version = versionOfVector(vector);
  const number = score ?? (vector === null ? null : baseScore(vector));
  if (number === null || number < 0 || number > 10) return [];
  return [{ ...by, version, score: number, severity: severityOf(version, number), vector }];
}

const CVE_RECORD_FIELDS: readonly (readonly [string, CvssVersion])[] = [
  ['cvssV4_0', '4.0'],
  ['cvssV3_1', '3.1'],
  ['cvssV3_0', '3.0'],
  ['cvssV2_0', '2.0'],
];

export const scoresOfMetric = (metric: unknown, by: Assigned): readonly ToldScore[] =>
  CVE_RECORD_FIELDS.flatMap(([field, version]) => scoreFrom(fieldOf(metric, field), version, by));

/** The base score that a vector of version 2 or 3 stands for; null for version 4, whose scores come from a table. */
export function baseScore(vector: string): number | null {
  const metrics = new Map(
    vector
      .replace(/[()]/g, '')
      .split('/')
      .map((part) => part.split(':', 2) as [string, string]),
  );
  const version = versionOfVector(vector);
  if (version === '2.0') return baseScore2(metrics);
  return version === '3.0' || version === '3.1' ? baseScore3(metrics, version) : null;
}

type Metrics = ReadonlyMap<string, string>;
type Weights = Readonly<Record<string, number>>;

function weight(metrics: Metrics, name: string, weights: Weights): number {
  const value = metrics.get(name) ?? '';
  return Object.hasOwn(weights, value) ? (weights[value] ?? Number.NaN) : Number.NaN;
}

const IMPACT_3: Weights = { H: 0.56, L: 0.22, N: 0 };

function baseScore3(metrics: Metrics, version: '3.0' | '3.1'): number | null {
  const isChanged = metrics.get('S') === 'C';
  const left = ['C', 'I', 'A'].map((name) => 1 - weight(metrics, name, IMPACT_3));
  const subScore = 1 - left.reduce((product, part) => product * part, 1);
  const impact = isChanged ? 7.52 * (subScore - 0.029) - 3.25 * (subScore - 0.02) ** 15 : 6.42 * subScore;
  const exploitability =
    8.22 *
    weight(metrics, 'AV', { N: 0.85, A: 0.62, L: 0.55, P: 0.2 }) *
    weight(metrics, 'AC', { L: 0.77, H: 0.44 }) *
    weight(metrics, 'PR', isChanged ? { N: 0.85, L: 0.68, H: 0.5 } : { N: 0.85, L: 0.62, H: 0.27 }) *
    weight(metrics, 'UI', { N: 0.85, R: 0.62 });
  const sum = impact + exploitability;
  if (Number.isNaN(sum) || !['U', 'C'].includes(metrics.get('S') ?? '')) return null;
  if (impact <= 0) return 0;
  const scored = Math.min(isChanged ? 1.08 * sum : sum, 10);
  return version === '3.0' ? Math.ceil(scored * 10 - 1e-9) / 10 : roundUp(scored);
}

/** CVSS 3.1 defines rounding up on whole hundred-thousandths, so that all programs get the same score. */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

const IMPACT_2: Weights = { N: 0, P: 0.275, C: 0.66 };

function baseScore2(metrics: Metrics): number | null {
  const left = ['C', 'I', 'A'].map((name) => 1 - weight(metrics, name, IMPACT_2));
  const impact = 10.41 * (1 - left.reduce((product, part) => product * part, 1));
  const exploitability =
    20 *
    weight(metrics, 'AV', { L: 0.395, A: 0.646, N: 1 }) *
    weight(metrics, 'AC', { H: 0.35, M: 0.61, L: 0.71 }) *
    weight(metrics, 'Au', { M: 0.45, S: 0.56, N: 0.704 });
  const score = (0.6 * impact + 0.4 * exploitability - 1.5) * (impact === 0 ? 0 : 1.176);
  return Number.isNaN(score) ? null : Math.round(score * 10) / 10;
}
