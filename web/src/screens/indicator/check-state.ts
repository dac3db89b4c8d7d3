import type { CheckPhase, UsedUp } from '@assay/sdk';
import type { Failure } from '../../service/failure.ts';
import type { CheckSeen, PhaseOf, ReputationSeen, Target } from './panels/check-seen.ts';

export type CheckTarget = Target;

/** What has come so far, by phase. */
export type Phases = {
  readonly reputation?: ReputationSeen;
  readonly basic?: PhaseOf<'basic'>;
  readonly insights?: PhaseOf<'insights'>;
  readonly dns?: PhaseOf<'dns'>;
  readonly enrichment?: PhaseOf<'enrichment'>;
  readonly done?: PhaseOf<'done'>;
};
export type PhaseName = keyof Phases;

export type CheckEnd =
  | { readonly kind: 'running' }
  | { readonly kind: 'done' }
  /** The connection broke, or the reader went elsewhere, after something had come. */
  | { readonly kind: 'cut'; readonly why: 'lost' | 'left'; readonly failure: Failure | null }
  /** The service said no, or did not answer at all. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly usedUp: UsedUp | null };

export type CheckState = {
  readonly target: CheckTarget;
  /** When the check that was paid for began; resuming does not move it. */
  readonly startedMs: number;
  /** When this connection began: silence is counted from here. */
  readonly connectedMs: number;
  readonly phases: Phases;
  readonly arrivedMs: Readonly<Partial<Record<PhaseName, number>>>;
  /** What the page showed before "Check again"; kept until something newer is here. */
  readonly earlier: Phases | null;
  readonly lastEventId: string | null;
  readonly end: CheckEnd;
};

export type CheckHappening =
  | { readonly kind: 'resumed'; readonly atMs: number }
  | { readonly kind: 'restarted'; readonly atMs: number }
  | { readonly kind: 'phase'; readonly phase: CheckPhase; readonly atMs: number }
  | { readonly kind: 'lost'; readonly failure: Failure }
  | { readonly kind: 'left' }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly usedUp: UsedUp | null };

export const started = (target: CheckTarget, atMs: number): CheckState => ({
  target,
  startedMs: atMs,
  connectedMs: atMs,
  phases: {},
  arrivedMs: {},
  earlier: null,
  lastEventId: null,
  end: { kind: 'running' },
});

export function afterHappening(state: CheckState, happening: CheckHappening): CheckState {
  switch (happening.kind) {
    case 'resumed':
      return { ...state, connectedMs: happening.atMs, end: { kind: 'running' } };
    case 'restarted':
      return { ...started(state.target, happening.atMs), earlier: shownPhases(state) };
    case 'phase':
      return withPhase(state, happening);
    // Nothing came of it, so nothing was cut: it did not answer.
    case 'lost':
      return hasBegun(state)
        ? { ...state, end: { kind: 'cut', why: 'lost', failure: happening.failure } }
        : { ...state, end: { kind: 'refused', failure: happening.failure, usedUp: null } };
    case 'left':
      return state.end.kind === 'running'
        ? { ...state, end: { kind: 'cut', why: 'left', failure: null } }
        : state;
    case 'refused':
      return { ...state, end: { kind: 'refused', failure: happening.failure, usedUp: happening.usedUp } };
  }
}

/** The order of arrival never matters: each phase has its place, and what belongs together is put together when read. */
function withPhase(
  state: CheckState,
  { phase, atMs }: Extract<CheckHappening, { kind: 'phase' }>,
): CheckState {
  return {
    ...state,
    earlier: null,
    phases: { ...state.phases, [phase.type]: phase.data },
    arrivedMs: { ...state.arrivedMs, [phase.type]: atMs },
    lastEventId: phase.id === '' ? state.lastEventId : phase.id,
    end: phase.type === 'done' ? { kind: 'done' } : state.end,
  };
}

/** The same state when all of them are in it. */
export const afterPhases = (state: CheckState, phases: readonly CheckPhase[], atMs: number): CheckState =>
  phases
    .filter(({ type }) => !(type in state.phases))
    .reduce((next, phase) => withPhase(next, { kind: 'phase', phase, atMs }), state);

const hasBegun = (state: CheckState): boolean => Object.keys(state.phases).length > 0;

/** What there is to look at: this check's, or until its first phase is here what was there before. */
export const shownPhases = (state: CheckState): Phases =>
  hasBegun(state) ? state.phases : (state.earlier ?? state.phases);

/** What the panels draw. */
export const seenOf = (state: CheckState): CheckSeen => ({
  ...shownPhases(state),
  target: state.target,
  startedAtMs: state.connectedMs,
  isOver: state.end.kind !== 'running',
});

/** Nothing is final before `done`, and nothing that was cut or refused ever becomes final. */
export const isProvisional = (state: CheckState): boolean => state.end.kind !== 'done';

/** The facts of `basic`, with whatever came too late for it. */
export function basicFacts(phases: Phases): PhaseOf<'basic'> | null {
  const { basic, enrichment } = phases;
  const late = enrichment?.late;
  if (basic === undefined && late === undefined) return null;
  return {
    geo: late?.geo ?? basic?.geo ?? null,
    whois: late?.whois ?? basic?.whois ?? null,
    certificates: late?.certificates ?? basic?.certificates ?? null,
    vulnerabilities: late?.vulnerabilities ?? basic?.vulnerabilities ?? null,
    degraded: [...(basic?.degraded ?? []), ...(enrichment?.degraded ?? [])],
  };
}

/** Everybody who was asked and could not answer, once each. */
export const degradedNames = ({ reputation, basic, dns, enrichment }: Phases): readonly string[] => [
  ...new Set([reputation, basic, dns, enrichment].flatMap((phase) => phase?.degraded ?? [])),
];

type Step = Exclude<PhaseName, 'done'>;
const STEPS: readonly Step[] = ['reputation', 'basic', 'insights', 'dns', 'enrichment'];
const IP_HOST = /^[a-z]+:\/\/(?:[^/@]*@)?(?:\d+\.\d+\.\d+\.\d+|\[)/i;

/** The steps of a check of this target; only names have DNS. */
export function stepsOf({ type, value }: CheckTarget): readonly Step[] {
  const hasName = type === 'domain' || (type === 'url' && !IP_HOST.test(value));
  return hasName ? STEPS : STEPS.filter((step) => step !== 'dns');
}

/** "step 3 of 5": the furthest step that is here. */
export function progressOf(state: CheckState): { readonly step: number; readonly of: number } {
  const steps = stepsOf(state.target);
  return { step: steps.findLastIndex((step) => step in state.phases) + 1, of: steps.length };
}

/** From here a step that is not there yet is said to be silent. */
export const SILENT_AFTER_MS = 8_000;

/** A step that should have come by now. One that was left out, because a later one is here, will not come. */
export function isSilent(state: CheckState, step: Step, nowMs: number): boolean {
  if (state.end.kind !== 'running' || nowMs - state.connectedMs < SILENT_AFTER_MS) return false;
  const steps = stepsOf(state.target);
  return steps.includes(step) && steps.indexOf(step) >= progressOf(state).step;
}

const ASKED: Readonly<Record<Step, string>> = {
  reputation: 'the lists',
  basic: 'the registry and the host',
  insights: 'the score',
  dns: 'the name servers',
  enrichment: 'the community sources',
};
export const silentWords = (step: Step): string => `No answer yet from ${ASKED[step]}.`;

/** As long as the service lets a cut check go on without charging again, less what the way there takes. */
const RESUME_MS = 115_000;

export const canResume = (state: CheckState, nowMs: number): boolean =>
  state.end.kind === 'cut' && state.lastEventId !== null && nowMs - state.startedMs < RESUME_MS;

/** What the strip says of a check that was cut. Null while there is nothing to say. */
export function cutWords(state: CheckState): string | null {
  if (state.end.kind !== 'cut') return null;
  const { step, of } = progressOf(state);
  const what = state.end.why === 'lost' ? 'Connection lost' : 'You left';
  return `${what} after step ${step} of ${of}. What had come was kept.`;
}
