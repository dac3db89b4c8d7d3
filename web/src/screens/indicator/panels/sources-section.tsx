import { Fragment, lazy, Suspense, useState } from 'react';
import { signed } from '../../../charts/waterfall-rows.ts';
import { Link } from '../../../navigation/link.tsx';
import { persistently } from '../../../service/persistently.ts';
import { Button } from '../../../ui/button.tsx';
import { InertText } from '../../../ui/inert-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { VerdictMark } from '../../../ui/verdict-mark.tsx';
import { visibleText } from '../../../ui/visible-parts.ts';
import { familyPath, sourcePath } from '../paths.ts';
import { type CheckSeen, type ReputationSeen, scoreOf } from './check-seen.ts';
import { OutwardLink } from './outward-link.tsx';
import { ReliabilityBar } from './reliability-bar.tsx';
import { SilentSources } from './silent-sources.tsx';
import { coverageSentence, emptySentence, pickedRows, type SourceRow, sourceRows } from './source-rows.ts';
import css from './sources-section.module.css';

const AgreementStrip = lazy(async () => ({
  default: (await persistently(() => import('../../../charts/agreement-strip.tsx'))).AgreementStrip,
}));

/** Height of a note, the table head and five rows. */
const RESERVED_PX = 300;
const ROWS_SHOWN = 12;

export type Picking = {
  readonly picked: string | null;
  readonly onPick: (factor: string | null) => void;
};

export function SourcesSection({ seen, picked, onPick }: { seen: CheckSeen } & Picking) {
  const { reputation, target, isOver } = seen;
  if (reputation === undefined)
    return isOver ? null : (
      <Panel
        title="Sources"
        minHeight={RESERVED_PX}
        state={{ kind: 'loading', what: 'Reading the lists.' }}
      />
    );
  if (reputation.sources.length === 0)
    return (
      <Panel
        title="Sources"
        state={{
          kind: 'empty',
          why:
            reputation.coverage === undefined
              ? emptySentence(target.type)
              : coverageSentence(target.type, reputation),
          more: <Silent reputation={reputation} />,
        }}
      />
    );
  return <Listed seen={seen} reputation={reputation} picked={picked} onPick={onPick} />;
}

function Listed({
  seen,
  reputation,
  picked,
  onPick,
}: { seen: CheckSeen; reputation: ReputationSeen } & Picking) {
  const [showsAll, setShowsAll] = useState(false);
  const score = scoreOf(seen);
  const all = sourceRows(reputation, score);
  const { rows, note } = pickedRows(all, picked, score);
  const shown = showsAll ? rows : rows.slice(0, ROWS_SHOWN);
  const { coverage } = reputation;
  return (
    <Panel title="Sources" note={coverageSentence(seen.target.type, reputation)} minHeight={RESERVED_PX}>
      {picked !== null && (
        <p className={css.picked}>
          {note !== null && <InertText>{note}</InertText>}{' '}
          <Button look="plain" onClick={() => onPick(null)}>
            Show all {all.length} sources
          </Button>
        </p>
      )}
      {shown.length > 0 && <SourcesTable rows={shown} />}
      {shown.length < rows.length && (
        <p className={css.more}>
          <Button look="plain" onClick={() => setShowsAll(true)}>
            Show all {rows.length} sources
          </Button>
        </p>
      )}
      <Silent reputation={reputation} />
      <Suspense fallback={<div className={css.strip} />}>
        <AgreementStrip
          sources={all}
          silent={coverage === undefined ? null : Math.max(0, coverage.sources - coverage.listing)}
        />
      </Suspense>
    </Panel>
  );
}

/** The sources that do not list the indicator. Shown on request only, because silence is no evidence. */
function Silent({ reputation: { coverage } }: { reputation: ReputationSeen }) {
  const [isShown, setShown] = useState(false);
  const silent = coverage?.silent ?? [];
  if (silent.length === 0) return null;
  return (
    <div className={css.more}>
      <Button look="plain" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Also show'}{' '}
        {silent.length === 1 ? 'the one that does not list it' : `the ${silent.length} that do not list it`}
      </Button>
      {isShown && <SilentSources sources={silent} />}
    </div>
  );
}

function SourcesTable({ rows }: { rows: readonly SourceRow[] }) {
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Says</th>
          <th scope="col" className={css.wide}>
            Match
          </th>
          <th scope="col" className={css.wide}>
            Of what
          </th>
          <th scope="col" className={css.wide}>
            False-positive risk
          </th>
          <th scope="col" className={css.wide}>
            Reliability
          </th>
          <th scope="col" className={css.wide}>
            Dates
          </th>
          <th scope="col" className={css.counts}>
            Counts for
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <Row row={row} />
            <MoreOf row={row} />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: SourceRow }) {
  return (
    <tr data-source={row.id}>
      <th scope="row" className={css.name}>
        <Link to={sourcePath(row.id)}>
          <InertText>{row.name}</InertText>
        </Link>
      </th>
      <td>
        <VerdictMark tone={row.tone} word={row.says} />
      </td>
      <td className={css.wide}>
        <Match row={row} />
      </td>
      <td className={css.wide}>
        <OfWhat row={row} />
      </td>
      <td className={css.wide}>{row.falsePositiveRisk}</td>
      <td className={css.wide}>
        <ReliabilityBar reliability={row.reliability} />
      </td>
      <td className={css.wide}>
        <Dates row={row} />
      </td>
      <td className={css.counts}>{row.contribution === null ? '…' : signed(row.contribution)}</td>
    </tr>
  );
}

const Match = ({ row: { match, isValue } }: { row: SourceRow }) =>
  isValue ? <InertText mono>{match}</InertText> : match;

/** What a source lists the indicator for: category, family and report, one line each. */
const OfWhat = ({ row: { category, family, reference } }: { row: SourceRow }) => (
  <>
    <InertText>{category}</InertText>
    {family !== null && (
      <div>
        <Link to={familyPath(family)}>
          <InertText>{family}</InertText>
        </Link>
      </div>
    )}
    {reference !== null && (
      <div>
        <OutwardLink href={reference} label="report at" />
      </div>
    )}
  </>
);

const Dates = ({ row: { dates } }: { row: SourceRow }) =>
  dates.length === 0 ? (
    <span className="note">undated</span>
  ) : (
    dates.map(({ word, at }) => (
      <div key={word} className={css.date}>
        {word} <Moment at={at} form="date" />
      </div>
    ))
  );

const COLUMNS_LEFT = 3;

function MoreOf({ row }: { row: SourceRow }) {
  return (
    <tr className={css.narrow}>
      <td colSpan={COLUMNS_LEFT}>
        <details>
          <summary>
            Details<span className="visually-hidden"> of {visibleText(row.name)}</span>
          </summary>
          <dl className="facts">
            <dt>Match</dt>
            <dd>
              <Match row={row} />
            </dd>
            <dt>Of what</dt>
            <dd>
              <OfWhat row={row} />
            </dd>
            <dt>False positives</dt>
            <dd>{row.falsePositiveRisk}</dd>
            <dt>Reliability</dt>
            <dd>
              <ReliabilityBar reliability={row.reliability} />
            </dd>
            <dt>Dates</dt>
            <dd>
              <Dates row={row} />
            </dd>
          </dl>
        </details>
      </td>
    </tr>
  );
}
