import { Link } from '../../navigation/link.tsx';
import { fileNameOf } from '../../service/file-names.ts';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ageOf } from '../../words/time.ts';
import { type CheckState, shownPhases } from './check-state.ts';
import { identityParts, typeWords } from './identity.ts';
import css from './indicator-page.module.css';
import { tagsOf } from './tags.ts';
import { checkDesk } from './use-check.ts';
import { judgedOf } from './verdict-view.ts';

export function IdentityLine({ state, isAsked }: { state: CheckState; isAsked: boolean }) {
  const phases = shownPhases(state);
  const judged = judgedOf(phases);
  if (!isAsked) return <p className={css.identity}>Reading…</p>;
  const parts =
    phases.reputation === undefined
      ? [{ text: typeWords(state.target) }]
      : identityParts(state.target, phases);
  const fileName = fileNameOf(state.target.value);
  const hours = judged?.evidence.dataAgeHours ?? null;
  return (
    <p className={css.identity} data-type={state.target.type}>
      <span className={css.parts}>
        {parts.map(({ text, to }, index) => (
          <span key={text}>
            {index > 0 && ' · '}
            {to === undefined ? (
              <InertText>{text}</InertText>
            ) : (
              <Link to={to}>
                <InertText>{text}</InertText>
              </Link>
            )}
          </span>
        ))}
        {fileName !== null && (
          <span>
            {' · here called '}
            <InertText>{fileName}</InertText>
          </span>
        )}
      </span>
      <span className={css.when}>
        {judged !== null && (
          <>
            <span className={css.dot}> · </span>
            {'checked '}
            <Moment at={judged.evidence.observedAt} />
            <span className={css.printOnly}>
              {' ('}
              <Moment at={judged.evidence.observedAt} form="absolute" />)
            </span>
            {hours !== null && ` · data ${ageOf(hours)}`}
          </>
        )}{' '}
        {/* A refusal offers its own way to continue. */}
        {state.end.kind !== 'refused' && (
          <span className={css.again}>
            <Button
              look="plain"
              disabled={state.end.kind === 'running'}
              onClick={() => checkDesk.again(state.target)}
              title="Costs one check"
            >
              Check again
            </Button>
          </span>
        )}
      </span>
    </p>
  );
}

/** What it is in single words. The row is there before they come, so that nothing below it moves. */
export function TagRow({ state }: { state: CheckState }) {
  return (
    <ul className={css.tags} aria-label="What it is">
      {tagsOf(shownPhases(state)).map(({ text, title }) => (
        <li key={text} className={css.tag} title={title}>
          <InertText>{text}</InertText>
        </li>
      ))}
    </ul>
  );
}
