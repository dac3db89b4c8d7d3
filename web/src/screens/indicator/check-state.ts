import type { CheckPhase, UsedUp } from '@assay/sdk';
import type { Failure } from '../../service/failure.ts';
import type { CheckSeen, PhaseOf, ReputationSeen, Target } from './panels/check-seen.ts';

export type CheckTarget = Target;

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
  /** The connection broke, or the reader left, after at least one phase had arrived. */
  | { readonly kind: 'cut'; readonly why: 'lost' | 'left'; readonly failure: Failure | null }
  /** The service refused, or did not answer at all. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly usedUp: UsedUp | null };

export type CheckState = {
  readonly target: CheckTarget;
  /** When the check began that was charged; a resumed check keeps this time. */
  readonly startedMs: number;
  /** When the current connection began: the wait for an answer is counted from here. */
  readonly connectedMs: number;
  readonly phases: Phases;
  readonly arrivedMs: Readonly<Partial<Record<PhaseName, number>>>;
  /** The phases shown before "Check again", kept until the first new phase arrives. */
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
    // A check that is lost before its first phase was not cut: the service did not answer.
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

/** Each phase has its own field, so the order of arrival does not matter. */
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

/** Returns the same object when the state already contains all phases. */
export const afterPhases = (state: CheckState, phases: readonly CheckPhase[], atMs: number): CheckState =>
  phases
    .filter(({ type }) => !(type in state.phases))
    .reduce((next, phase) => withPhase(next, { kind: 'phase', phase, atMs }), state);

const hasBegun = (state: CheckState): boolean => Object.keys(state.phases).length > 0;

/** The phases of this check; until its first phase arrives, those of the check before "Check again". */
export const shownPhases = (state: CheckState): Phases =>
  hasBegun(state) ? state.phases : (state.earlier ?? state.phases);

export const seenOf = (state: CheckState): CheckSeen => ({
  ...shownPhases(state),
  target: state.target,
  startedAtMs: state.connectedMs,
  isOver: state.end.kind !== 'running',
});

/** A check is final only after `done`; one that was cut or refused stays provisional. */
export const isProvisional = (state: CheckState): boolean => state.end.kind !== 'done';

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

export function progressOf(state: CheckState): { readonly step: number; readonly of: number } {
  const steps = stepsOf(state.target);
  return { step: steps.findLastIndex((step) => step in state.phases) + 1, of: steps.length };
}

/** After this time a missing step is reported as silent. */
export const SILENT_AFTER_MS = 8_000;

/** True for a step that is overdue. A step that a later one has overtaken was left out and will not come. */
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

/** The service resumes a cut check without a new charge for 120 s; 5 s are left for the request itself. */
const RESUME_MS = 115_000;

export const canResume = (state: CheckState, nowMs: number): boolean =>
  state.end.kind === 'cut' && state.lastEventId !== null && nowMs - state.startedMs < RESUME_MS;

export function cutWords(state: CheckState): string | null {
  if (state.end.kind !== 'cut') return null;
  const { step, of } = progressOf(state);
  const what = state.end.why === 'lost' ? 'Connection lost' : 'You left';
  return `${what} after step ${step} of ${of}. What had come was kept.`;
}
