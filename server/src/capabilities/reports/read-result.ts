import { parseIndicator } from '#domain/indicator/index.ts';
import { badRequest, ServiceError } from '#platform/errors.ts';
import { type EntityType, RESULT_BYTES_MAX, ReadResult, type SaveBody, type Verdict } from './contract.ts';

export type ReadReport = {
  readonly entityType: EntityType;
  readonly entityValue: string;
  readonly verdict: Verdict;
  readonly riskScore: number | null;
  readonly riskLevel: string | null;
  readonly word: string | null;
  readonly result: string;
};

/** A check has 5 levels. Deep nesting makes printing expensive: 3,000 levels turn 120 KB into 380 MB of page. */
const DEPTH_MAX = 20;

/** The verdict is the one the caller sent; none is made up for a result that has none. */
export function readResult({ entity, result }: SaveBody): ReadReport {
  const read = ReadResult.safeParse(result);
  if (!read.success)
    throw badRequest(
      'result: send the answer of /check as it came; it has `malicious` and `apiVersion`.',
      read.error.issues.map(({ path, message }) => ({ path: ['result', ...path].join('.'), message })),
    );
  if (isDeeperThan(result, DEPTH_MAX))
    throw badRequest(`result: at most ${DEPTH_MAX} levels are kept; send the answer of /check as it came.`);
  const text = JSON.stringify(withoutPassword(result));
  if (Buffer.byteLength(text) > RESULT_BYTES_MAX)
    throw new ServiceError('Payload Too Large', 'result: at most 256 KiB are kept of one check.');
  const { riskScore } = read.data;
  return {
    ...readEntity(entity, read.data.query),
    verdict: verdictOf(read.data),
    riskScore: riskScore?.score ?? null,
    riskLevel: riskScore?.level ?? null,
    word: riskScore?.word ?? null,
    result: text,
  };
}

/** Nothing about a password is saved (contract 4.10). */
function withoutPassword(result: SaveBody['result']): SaveBody['result'] {
  const { pwnedPassword: _, ...rest } = result;
  return rest;
}

/**
 * Answers of earlier versions have the level `safe` also where no source vouches; their evidence says `unknown` then,
 * and unknown is never clean.
 */
function verdictOf({ malicious, riskScore, evidence }: ReadResult): Verdict {
  if (riskScore === undefined) return malicious ? 'malicious' : 'unknown';
  return riskScore.level === 'safe' && evidence?.verdict !== 'safe' ? 'unknown' : riskScore.level;
}

/** Walks level by level and not by recursion, because the caller controls the depth. */
function isDeeperThan(value: object, max: number): boolean {
  let level: readonly object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > max) return true;
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function readEntity(
  named: string | undefined,
  judged: string | undefined,
): Pick<ReadReport, 'entityType' | 'entityValue'> {
  const text = named ?? judged;
  if (text === undefined)
    throw badRequest('entity: name what the result is about; it has no `query` of its own.');
  const entity = entityOf(text, named === undefined ? 'result.query' : 'entity');
  if (named !== undefined && judged !== undefined) {
    const about = entityOf(judged, 'result.query');
    // A verdict saved under another name would be read as a verdict on that name.
    if (about.entityValue !== entity.entityValue)
      throw badRequest(
        `entity: the result is about '${about.entityValue}', not about '${entity.entityValue}'.`,
      );
  }
  return entity;
}

/** The canonical form, so that a report is found under every spelling of its entity. */
export function entityOf(text: string, field: string): Pick<ReadReport, 'entityType' | 'entityValue'> {
  const parsed = parseIndicator(text);
  if (!parsed.ok) throw badRequest(`${field}: ${parsed.reason}`);
  const { kind, value } = parsed.indicator;
  if (kind === 'cidr') throw badRequest(`${field}: '${value}' is a range. Name one address of it.`);
  return { entityType: kind, entityValue: value };
}
