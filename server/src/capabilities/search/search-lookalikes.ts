import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoOf } from '#capabilities/check/index.ts';
import { accuses, type Listing } from '#capabilities/corpus/index.ts';
import { type Assessment, type Assessor, assessorFor } from '#capabilities/judging/index.ts';
import { parseIndicator } from '#domain/indicator/index.ts';
import { lookalikeOf, type Probes, probesOf } from '#domain/lookalike/index.ts';
import { unavailable } from '#platform/errors.ts';
import type { Db, Postgres } from '#platform/postgres.ts';
import { type Asked, HITS_MAX, type SearchReply } from './contract.ts';
import { namesContaining, namesWith, namesWithAny, prepareSearch } from './store.ts';

export type SearchDeps = {
  readonly postgres: Pick<Postgres, 'transaction'>;
  readonly assess: Assessor;
};

type Result = SearchReply['results'][number];
type Ranked = Result & { readonly closeness: number };

/** The most names of a query; those beyond it are accused by fewer sources or less like the brand. */
const CANDIDATES_MAX = 1_000;
/** The event loop gets a turn after 100 names (15 us each), so that checks do not wait for thousands of names. */
const NAMES_PER_TURN = 100;
const RETRY_AFTER_S = 60;
/** A name among the most visited is no imitation (contract 4.9 rule 5). */
const VISITED_RANK_MAX = 100_000;

export async function searchLookalikes(
  { postgres, assess: assessForAll }: SearchDeps,
  asked: Extract<Asked, { ok: true }>,
  organizationId: string | null = null,
): Promise<Omit<SearchReply, 'hits'>> {
  const assess = assessorFor(assessForAll, organizationId);
  const { names, isPartial } = await postgres
    .transaction((tx) => gather(tx, probesOf(asked.brand)))
    .catch(explain);
  const searched = assess(asked.domain);
  const { nowMs } = searched;
  const found: Ranked[] = [];
  for (const [at, name] of names.entries()) {
    if (at > 0 && at % NAMES_PER_TURN === 0) await nextTurn();
    const ranked = judge(assess, asked, name, nowMs);
    if (ranked !== null) found.push(ranked);
  }
  found.sort((a, b) => b.score - a.score || b.closeness - a.closeness || (a.value < b.value ? -1 : 1));
  const own = listed(searched, 'exact');
  const all = own === null ? found : [own, ...found];
  return {
    keywords: asked.keywords,
    total_hits: all.length,
    truncated: isPartial || all.length > HITS_MAX,
    results: all.slice(0, HITS_MAX).map(({ value, type, technique, score, categories, lastSeen }) => ({
      value,
      type,
      technique,
      score,
      categories,
      lastSeen,
    })),
  };
}

async function gather(
  tx: Db,
  { tokens, word, inside }: Probes,
): Promise<{ names: readonly string[]; isPartial: boolean }> {
  if (!(await prepareSearch(tx)))
    throw unavailable(
      'The worker is still making the names searchable. Try again in a minute.',
      RETRY_AFTER_S,
    );
  const limit = CANDIDATES_MAX + 1;
  const slips = await namesWithAny(tx, tokens, limit);
  const named = inside === null ? await namesWith(tx, word, limit) : await namesContaining(tx, inside, limit);
  return {
    names: [...new Set([...slips.slice(0, CANDIDATES_MAX), ...named.slice(0, CANDIDATES_MAX)])],
    isPartial: slips.length > CANDIDATES_MAX || named.length > CANDIDATES_MAX,
  };
}

const STATEMENT_TIMEOUT = '57014';

/** Turns a statement timeout into a 503, because a partial answer would be taken for a complete one. */
function explain(error: unknown): never {
  if ((error as { code?: unknown } | null)?.code !== STATEMENT_TIMEOUT) throw error;
  throw unavailable(
    'The search took too long and was cancelled. Try again, or name a longer brand.',
    5,
    error,
  );
}

/** The index only proposes names; whether one is a listed look-alike is decided by the current corpus. */
function judge(
  assess: Assessor,
  { brand }: Extract<Asked, { ok: true }>,
  name: string,
  nowMs: number,
): Ranked | null {
  const parsed = parseIndicator(name);
  if (!parsed.ok || parsed.indicator.kind !== 'domain') return null;
  const alike = lookalikeOf(brand, parsed.indicator);
  if (alike === null) return null;
  const assessment = assess(parsed.indicator, nowMs);
  const { rankBucket } = assessment.context;
  if (rankBucket !== null && rankBucket <= VISITED_RANK_MAX && !assessment.verdict.malicious) return null;
  const result = listed(assessment, alike.technique);
  return result === null ? null : { ...result, closeness: alike.closeness };
}

/** Null unless a threat source lists exactly this name now; delisted names and neighbours do not count. */
function listed(assessment: Assessment, technique: Result['technique']): Ranked | null {
  const accusations = assessment.listings.filter(isAccusation);
  if (accusations.length === 0) return null;
  return {
    value: assessment.subject.value,
    type: 'domain',
    technique,
    score: assessment.verdict.riskScore.score,
    categories: [...new Set(accusations.flatMap(({ source }) => source.categories))].sort(),
    lastSeen: isoOf(Math.max(...accusations.map(({ lastSeenS }) => lastSeenS)) * 1_000),
    closeness: 1,
  };
}

const isAccusation = ({ matchType, isDelisted, source }: Listing): boolean =>
  matchType === 'exact' && isDelisted !== true && accuses(source);
