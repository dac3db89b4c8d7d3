import type { RiskScore } from '@assay/sdk';
import { Waterfall } from '../../charts/waterfall.tsx';
import { NETWORK_FACTOR } from '../../charts/waterfall-rows.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { useNow } from '../../ui/use-now.ts';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import {
  type CheckState,
  degradedNames,
  isSilent,
  progressOf,
  shownPhases,
  silentWords,
  stepsOf,
} from './check-state.ts';
import { CopyActions } from './copy-actions.tsx';
import { HeadlineBlock } from './headline-block.tsx';
import css from './verdict-block.module.css';
import { judgedOf, type VerdictView, verdictView } from './verdict-view.ts';

export function VerdictBlock({
  state,
  picked,
  onPick,
}: {
  state: CheckState;
  picked: string | null;
  onPick: (factor: string | null) => void;
}) {
  const view = verdictView(state);
  const phases = shownPhases(state);
  const { reputation } = phases;
  const score = judgedOf(phases)?.riskScore ?? null;
  const isWaiting = score === null && state.end.kind === 'running';
  return (
    <section
      className={css.verdict}
      aria-label="Verdict"
      data-provisional={view.isProvisional || undefined}
      data-waiting={isWaiting || undefined}
    >
      <div className={css.words}>
        <div className={css.line}>
          <VerdictMark size="large" tone={view.tone} word={view.word} />
          <Numbers view={view} />
          {view.isProvisional && reputation !== undefined && <Provisional state={state} />}
        </div>
        {reputation === undefined && <Asking state={state} />}
        <HeadlineBlock state={state} />
        <div className={css.later}>
          <CopyActions state={state} />
        </div>
      </div>
      <div className={css.chart}>
        {hasNothingToAddUp(view, score) ? (
          <>
            <p className="note">How the score adds up</p>
            <p className={css.aside}>
              There is nothing to add up: no source accuses it and none vouches for it.
            </p>
          </>
        ) : (
          <Waterfall
            score={score}
            sources={reputation?.sources ?? []}
            {...(reputation?.infrastructure !== undefined && { infrastructure: reputation.infrastructure })}
            tone={view.tone}
            picked={picked}
            onPick={onPick}
          />
        )}
        <div className={css.spare} data-taken={hasNetwork(score) || undefined}>
          <Unanswered state={state} />
        </div>
      </div>
    </section>
  );
}

function Asking({ state }: { state: CheckState }) {
  const nowMs = useNow(1_000);
  return (
    <p className={css.asking}>
      {isSilent(state, 'reputation', nowMs) ? silentWords('reputation') : 'Asking the lists.'}
    </p>
  );
}

/** True for an unknown indicator without factors. It gets no chart: a 0 on a scale to 100 would look like an answer. */
const hasNothingToAddUp = ({ tone }: VerdictView, score: RiskScore | null): boolean =>
  tone === 'unknown' && score !== null && score.factors.length === 0;

function Numbers({ view: { risk, confidence, tone } }: { view: VerdictView }) {
  if (confidence === null) return null;
  return (
    <span>
      {risk !== null ? (
        <>
          risk <b>{risk}</b> of 100
        </>
      ) : (
        tone === 'unknown' && 'too little is known for a score'
      )}
      {' · '}confidence <b>{confidence.score}</b> ({confidence.level})
    </span>
  );
}

/**
 * Says in text, not colour, that the verdict may change and which step is missing. Positioned out of the flow, so that
 * nothing moves.
 */
function Provisional({ state }: { state: CheckState }) {
  const nowMs = useNow(1_000);
  const { step, of } = progressOf(state);
  const silent = stepsOf(state.target).find((each) => isSilent(state, each, nowMs));
  const isRunning = state.end.kind === 'running' && step > 0;
  return (
    <span className={css.provisional}>
      {silent !== undefined ? (
        <>Provisional. {silentWords(silent)}</>
      ) : (
        <>Provisional{isRunning && `, step ${step} of ${of}`}</>
      )}
    </span>
  );
}

/** The network factor arrives late and uses the space reserved for it. */
const hasNetwork = (score: RiskScore | null): boolean =>
  score?.factors.some(({ name }) => name === NETWORK_FACTOR) === true;

function Unanswered({ state }: { state: CheckState }) {
  const names = degradedNames(shownPhases(state));
  if (names.length === 0) return null;
  return (
    <p className="note">
      Did not answer: <InertText>{names.join(', ')}</InertText>. The verdict stands without them.
    </p>
  );
}
