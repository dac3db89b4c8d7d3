import { lazy, Suspense } from 'react';
import { Link } from '../../navigation/link.tsx';
import { persistently } from '../../service/persistently.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { visibleText } from '../../ui/visible-parts.ts';
import { type Cause, reasonsOf } from './causes.ts';
import { type CheckState, shownPhases } from './check-state.ts';
import { type Headline, headlineOf, type Name, type Who } from './headline.ts';
import { familyPath, sourcePath } from './paths.ts';
import css from './verdict-block.module.css';

const MarkedName = lazy(async () => ({
  default: (await persistently(() => import('./marked-name.tsx'))).MarkedName,
}));

/** The name, since when, who says so, what to do, and why. The first phase has it all, so nothing changes later. */
export function HeadlineBlock({ state }: { state: CheckState }) {
  const phases = shownPhases(state);
  const headline = headlineOf(phases);
  const of = phases.reputation?.lookalike?.of;
  return (
    <>
      <Named headline={headline} />
      {of !== undefined && (
        <p className={css.letters}>
          <Suspense>
            <MarkedName value={state.target.value} of={of} />
          </Suspense>
        </p>
      )}
      {(headline.since !== null || headline.who !== null) && (
        <p className={css.said}>
          {headline.since !== null && <InertText>{headline.since}</InertText>}{' '}
          {headline.who !== null && <WhoSays who={headline.who} />}
        </p>
      )}
      {headline.action !== null && <p className={css.action}>{headline.action}</p>}
      <Why state={state} />
    </>
  );
}

function Named({ headline: { name, about } }: { headline: Headline }) {
  if (name === null && about.length === 0) return null;
  return (
    <p className={css.name}>
      {name !== null && (
        <b>
          <NameText name={name} />
        </b>
      )}
      {about.map((words, index) => (
        <span key={words}>
          {(name !== null || index > 0) && ' · '}
          <InertText>{words}</InertText>
        </span>
      ))}
    </p>
  );
}

const NameText = ({ name: { kind, text } }: { name: Name }) =>
  kind === 'family' ? (
    <Link to={familyPath(text)}>
      <InertText>{text}</InertText>
    </Link>
  ) : (
    <InertText>{text}</InertText>
  );

const WhoSays = ({ who: { count, names, more } }: { who: Who }) => (
  <span>
    {count}:{' '}
    {names.map((name, index) => (
      <span key={name}>
        {index > 0 && ', '}
        <InertText>{name}</InertText>
      </span>
    ))}
    {more > 0 && ` and ${more} more`}.
  </span>
);

function Why({ state }: { state: CheckState }) {
  const phases = shownPhases(state);
  const { causes, notes, contradictions } = reasonsOf(phases);
  const techniques = (phases.reputation?.verdict?.mitre ?? phases.insights?.mitre)?.techniques ?? [];
  if (causes.length + notes.length + contradictions.length + techniques.length === 0) return null;
  return (
    <ul className={css.why}>
      {causes.map((cause) => (
        <CauseLine key={cause.sentence} cause={cause} />
      ))}
      {notes.map((note) => (
        <li key={note}>
          <InertText>{note}</InertText>
        </li>
      ))}
      {contradictions.map(({ title, description }) => (
        <li key={title} data-against="">
          <b>
            <InertText>{title}</InertText>:
          </b>{' '}
          <InertText>{description}</InertText>
        </li>
      ))}
      {techniques.length > 0 && <Techniques techniques={techniques} />}
    </ul>
  );
}

const CauseLine = ({ cause: { sentence, sources } }: { cause: Cause }) => (
  <li>
    <InertText>{sentence}</InertText>
    <span className={css.by}>
      {sources.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={sourcePath(id)}>
            <InertText>{name}</InertText>
          </Link>
        </span>
      ))}
    </span>
  </li>
);

type Technique = { readonly id: string; readonly name: string };
const TECHNIQUES_MAX = 4;

function Techniques({ techniques }: { techniques: readonly Technique[] }) {
  const more = techniques.slice(TECHNIQUES_MAX);
  return (
    <li>
      ATT&CK:{' '}
      {techniques.slice(0, TECHNIQUES_MAX).map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <span className="mono">
            <InertText>{id}</InertText>
          </span>{' '}
          <InertText>{name}</InertText>
        </span>
      ))}
      {more.length > 0 && (
        <span title={visibleText(more.map(({ id, name }) => `${id} ${name}`).join(', '))}>
          {' '}
          and {more.length} more
        </span>
      )}
    </li>
  );
}
