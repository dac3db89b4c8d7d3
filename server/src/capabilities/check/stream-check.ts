import { type Assessment, type Assessor, scannerWordOf } from '#capabilities/judging/index.ts';
import { type FacetName, isDegraded, type LiveContext } from '#capabilities/providers/index.ts';
import { hostOf, type Indicator } from '#domain/indicator/index.ts';
import { addClaims } from './add-claims.ts';
import { addPassword } from './add-password.ts';
import { askable, locatedOf, pastOf, planFor, relatedOf } from './check-context.ts';
import type { CheckDeps } from './check-deps.ts';
import type { CheckResult } from './contract.ts';
import type { CheckEvent } from './contract-stream.ts';
import { type FacetBoard, openBoard } from './facet-board.ts';
import { presentCheck } from './present-check.ts';
import {
  type BasicField,
  presentBasic,
  presentDns,
  presentEnrichment,
  presentInsights,
  presentReputation,
} from './present-phases.ts';

/**
 * The deadline of each phase in ms from the start; lookups without an answer by then are named in `degraded`.
 * The score comes with the second phase, so that phase waits for a registry but not for a slow search of
 * certificate logs; the last one leaves a second for local work, so that a stream ends within 8 s.
 */
const LEAVES_BY_MS = { reputation: 2_000, basic: 3_000, dns: 4_500, late: 5_000, enrichment: 7_000 } as const;

export type Streaming = {
  /** Sends one event; false once the reader has disconnected. */
  readonly emit: (event: CheckEvent) => boolean;
  /** Aborted when the reader has disconnected, which cancels the lookups. */
  readonly signal: AbortSignal;
};

type Run = {
  readonly deps: CheckDeps;
  readonly assess: Assessor;
  readonly board: FacetBoard;
  readonly assessment: Assessment;
  readonly past: Promise<readonly Assessment[] | null>;
  readonly elapsedMs: () => number;
  readonly emit: Streaming['emit'];
};

/**
 * One check in phases (contract 6.1, decisions 3.13): local data at once, each lookup in its phase. The
 * verdict is the same for the whole stream, so the first phase waits for the scanner and for no other lookup.
 */
export async function streamCheck(
  deps: CheckDeps,
  assess: Assessor,
  first: { readonly indicator: Indicator; readonly assessment: Assessment },
  { emit, signal }: Streaming,
): Promise<void> {
  const startedMs = deps.clock.monotonic();
  const elapsedMs = () => deps.clock.monotonic() - startedMs;
  const { subject } = first.assessment;
  const board = openBoard(askable(deps, first.assessment), subject, LEAVES_BY_MS.enrichment, signal);
  const past = pastOf(deps, subject, LEAVES_BY_MS.enrichment);
  await board.wait(['scanner'], LEAVES_BY_MS.reputation);
  const scanner = board.now().scanner;
  const word = scannerWordOf(scanner);
  const assessment = assess(first.indicator, undefined, word);
  const run: Run = { deps, assess, board, assessment, past, elapsedMs, emit };
  const result = presented(run, first.indicator);
  const reputation = presentReputation(result, assessment, {
    hasScanner: word !== null,
    lookups: planFor(deps, assessment),
    degraded: degradedOf({ scanner }),
  });
  if (!emit({ type: 'reputation', data: reputation })) return;
  const awaited = await sendBasic(run);
  if (awaited === null) return;
  if (hostOf(subject)?.kind === 'domain' && !(await sendDns(run))) return;
  if (!(await sendEnrichment(run, result, awaited))) return;
  const processingTime = Math.round(elapsedMs());
  emit({ type: 'done', data: { apiVersion: 'v2', enrichmentLevel: 'full', processingTime } });
}

function presented(run: Run, indicator?: Indicator, parts: Partial<Parts> = {}): CheckResult {
  const { deps, assess, assessment, board } = run;
  const live = board.now();
  const result = presentCheck(assessment, 'full', deps.enrichment.attack(), {
    live,
    located: locatedOf(assess, assessment.subject, live.addresses),
    past: parts.past ?? null,
    related: parts.related ?? null,
  });
  if (indicator !== undefined) {
    addClaims(deps, indicator, result);
    addPassword(deps, indicator, result);
  }
  return result;
}
type Parts = {
  readonly past: readonly Assessment[] | null;
  readonly related: Awaited<ReturnType<typeof relatedOf>>;
};

const BASIC = {
  geo: 'addresses',
  whois: 'whois',
  certificates: 'certificates',
  vulnerabilities: 'vulnerabilities',
} as const satisfies Record<BasicField, FacetName>;
const BASIC_FIELDS = Object.keys(BASIC) as BasicField[];

/** Returns the fields that were not there in time; null when the reader has disconnected. */
async function sendBasic(run: Run): Promise<readonly BasicField[] | null> {
  await run.board.wait(Object.values(BASIC), LEAVES_BY_MS.basic - run.elapsedMs());
  const result = presented(run);
  const live = run.board.now();
  const degraded = BASIC_FIELDS.filter((field) => isDegraded(live[BASIC[field]]));
  if (!run.emit({ type: 'basic', data: presentBasic(result, degraded) })) return null;
  const insights = presentInsights(result, run.assessment, run.deps.corpus);
  return run.emit({ type: 'insights', data: insights }) ? degraded : null;
}

/** Left out when DNS lookups are off: the phase is optional (contract 6.1). */
async function sendDns(run: Run): Promise<boolean> {
  await run.board.wait(['dns'], LEAVES_BY_MS.dns - run.elapsedMs());
  const { dns } = run.board.now();
  if (dns.state === 'missing' && !isDegraded(dns)) return true;
  return run.emit({ type: 'dns', data: presentDns(dns, degradedOf({ dns })) });
}

async function sendEnrichment(
  run: Run,
  { pwnedPassword }: CheckResult,
  awaited: readonly BasicField[],
): Promise<boolean> {
  const { deps, assess, assessment, board } = run;
  await Promise.all([
    board.wait(['otx', 'technologies'], LEAVES_BY_MS.enrichment - run.elapsedMs()),
    board.wait(
      awaited.map((field) => BASIC[field]),
      LEAVES_BY_MS.late - run.elapsedMs(),
    ),
  ]);
  const [past, related] = await Promise.all([run.past, relatedOf(deps, assess, assessment, board.now())]);
  const result = { ...presented(run, undefined, { past, related }), pwnedPassword };
  const { otx, technologies } = board.now();
  const degraded = degradedOf({ otx, technologies });
  if (deps.past !== undefined && past === null) degraded.push('timeline');
  if (related === null) degraded.push('relatedInfrastructure');
  return run.emit({ type: 'enrichment', data: presentEnrichment(result, degraded, awaited) });
}

const degradedOf = (parts: Readonly<Record<string, LiveContext[FacetName]>>): string[] =>
  Object.entries(parts).flatMap(([name, outcome]) => (isDegraded(outcome) ? [name] : []));
