import { memo, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { useTitle } from '../../frame/title.ts';
import { useSession } from '../../service/session.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Section } from '../../ui/section.tsx';
import { BulkSteps } from './bulk-steps.tsx';
import { CheckEnding } from './check-ending.tsx';
import {
  type CheckState,
  type CheckTarget,
  isProvisional,
  seenOf,
  shownPhases,
  started,
} from './check-state.ts';
import { IdentityLine, TagRow } from './identity-line.tsx';
import css from './indicator-page.module.css';
import { CompletenessFooter, ContextPanels, HistorySection, SourcesSection } from './panels/index.ts';
import type { Asked } from './target.ts';
import { useAsked } from './use-asked.ts';
import { useCheck } from './use-check.ts';
import { VerdictBlock } from './verdict-block.tsx';
import { judgedOf, spokenFirst, spokenLast, verdictView } from './verdict-view.ts';

/**
 * One indicator, in the order of an analyst's questions: what it is, whether it is bad, why, which sources say so, and
 * what else is known.
 */
export default function IndicatorPage() {
  const asked = useAsked();
  if (asked.kind === 'words') return <AnsweredHere asked={asked} />;
  if (asked.kind === 'reading')
    return <Checked target={{ type: 'domain', value: asked.raw }} isAsked={false} />;
  return (
    <Checked
      // A key per indicator, so that no selection carries over to the next page.
      key={`${asked.target.type}|${asked.target.value}`}
      target={asked.target}
      unicode={asked.kind === 'target' ? asked.unicode : null}
    />
  );
}

function Checked({
  target,
  unicode = null,
  isAsked = true,
}: {
  target: CheckTarget;
  unicode?: string | null;
  isAsked?: boolean;
}) {
  const [openedMs] = useState(() => Date.now());
  const known = useCheck(isAsked ? target : null);
  const [nothingYet] = useState(() => started(target, openedMs));
  const state = known ?? nothingYet;
  // The verdict is rendered first and the rest deferred. For a check that is already known, the whole page renders at
  // once.
  const drawn = useDeferredValue(state, state.startedMs < openedMs ? state : nothingYet);
  const [picked, setPicked] = useState<string | null>(null);
  const isBarred = isEmptyRefusal(state);
  useTitle(target.value, isBarred ? 'Not checked' : verdictView(state).word);
  useSpoken(known, openedMs);
  return (
    <article className={css.page} data-state={drawn.end.kind} aria-busy={drawn.end.kind === 'running'}>
      <BulkSteps target={target} />
      <h1 className={css.value}>
        <InertText mono>{target.value}</InertText>
      </h1>
      {unicode !== null && (
        <p className={css.unicode}>
          Reads as <InertText mono>{unicode}</InertText>. Letters of other alphabets can look alike.
        </p>
      )}
      <IdentityLine state={state} isAsked={isAsked} />
      {isAsked && !isBarred && <TagRow state={state} />}
      <CheckEnding state={state} />
      {!isBarred && (
        <>
          <VerdictBlock state={state} picked={picked} onPick={setPicked} />
          <Later state={drawn} picked={picked} onPick={setPicked} />
        </>
      )}
    </article>
  );
}

type LaterProps = {
  readonly state: CheckState;
  readonly picked: string | null;
  readonly onPick: (source: string | null) => void;
};
/**
 * The page below the verdict. Memoized, so that it does not render together with the verdict. It stays empty until the
 * first verdict, which would push it down.
 */
const Later = memo(function Later({ state, picked, onPick }: LaterProps) {
  const isSignedIn = useSession().state === 'signed-in';
  if (state.end.kind === 'running' && judgedOf(shownPhases(state)) === null)
    return <div className={css.later} />;
  const seen = seenOf(state);
  const of = `${state.target.type}|${state.target.value}`;
  return (
    <div className={css.later}>
      {/* One boundary: what comes after the sources is not drawn before them, where it would be pushed down. */}
      <Suspense fallback={<div className={css.toCome} />}>
        <Section of={of}>
          <SourcesSection seen={seen} picked={picked} onPick={onPick} />
        </Section>
        <Section of={of}>
          <HistorySection seen={seen} isSignedIn={isSignedIn} />
        </Section>
        <Section of={of}>
          <ContextPanels seen={seen} isSignedIn={isSignedIn} />
        </Section>
        <Section of={of}>
          <CompletenessFooter seen={seen} />
        </Section>
      </Suspense>
    </div>
  );
});

const isEmptyRefusal = (state: CheckState): boolean =>
  state.end.kind === 'refused' && shownPhases(state).reputation === undefined;

/**
 * Announces at most twice, the first verdict and the end. A check finished before this page opened is not announced
 * again.
 */
function useSpoken(state: CheckState | undefined, openedMs: number): void {
  const told = useRef<{ readonly first: number | null; readonly last: number | null } | null>(null);
  useEffect(() => {
    if (state === undefined) return;
    const isNew = isProvisional(state) || state.startedMs >= openedMs;
    told.current ??= isNew ? NOTHING_TOLD : { first: state.startedMs, last: state.startedMs };
    if (state.phases.done !== undefined && told.current.last !== state.startedMs) {
      told.current = { first: state.startedMs, last: state.startedMs };
      announce(spokenLast(state));
    } else if (state.phases.reputation !== undefined && told.current.first !== state.startedMs) {
      told.current = { ...told.current, first: state.startedMs };
      announce(spokenFirst(state));
    }
  }, [state, openedMs]);
}
const NOTHING_TOLD = { first: null, last: null };

function AnsweredHere({ asked }: { asked: Extract<Asked, { kind: 'words' }> }) {
  useTitle(asked.raw, asked.isLocal ? 'Answered here' : 'Not readable');
  return (
    <article data-state={asked.isLocal ? 'local' : 'unreadable'} className={css.page}>
      <h1 className={css.value}>
        <InertText mono>{asked.raw}</InertText>
      </h1>
      <div className={css.words}>
        <p>
          <InertText>{asked.sentence}</InertText>
        </p>
        <p className="note">
          {asked.isLocal
            ? 'This was answered here; nothing was asked and nothing was charged.'
            : 'Correct it in the box above. Nothing was asked and nothing was charged.'}
        </p>
      </div>
    </article>
  );
}
