import type { MemberCounts } from '@assay/sdk';
import { familyPath } from '../../box/permalink.ts';
import { Bars } from '../../charts/bars.tsx';
import { ChartTable } from '../../charts/chart-table.tsx';
import { LevelBar } from '../../charts/level-bar.tsx';
import { Link } from '../../navigation/link.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { exact } from '../../words/numbers.ts';
import css from './context.module.css';
import {
  countSentence,
  dateSentence,
  levelParts,
  levelSentence,
  type Subject,
  shareBars,
} from './context-words.ts';

const CATEGORIES_MAX = 10;

/** How many values a page lists, their levels and categories, and since when they are listed. */
export function CountsPanels({ subject, counts }: { subject: Subject; counts: MemberCounts }) {
  const levels = levelParts(counts);
  const categories = shareBars(counts.byCategory, counts.examined, CATEGORIES_MAX);
  const dates = dateSentence(counts);
  return (
    <div data-state={counts.isPartial ? 'partial' : 'ready'}>
      <p className={css.counted}>
        {countSentence(subject, counts)}
        {dates !== null && ` ${dates}`}
      </p>
      {levels.length > 0 && (
        <Panel title="By level" note="What a check of each value says now, without live lookups.">
          <LevelBar parts={levels} label={levelSentence(levels)} />
          <ChartTable
            caption="Listed values by level"
            columns={['Level', 'Values']}
            rows={levels.map(({ word, count }) => [word, count])}
          />
        </Panel>
      )}
      {categories.length > 0 && (
        <Panel title="By category" note="A value that lists put into two categories counts in both.">
          <Bars label="Listed values by category" bars={categories} />
        </Panel>
      )}
    </div>
  );
}

const FAMILIES_MAX = 24;

/** The malware families that the values are listed for, as links to the pages of the families. */
export function Families({ counts, title = 'Families' }: { counts: MemberCounts; title?: string }) {
  const families = Object.entries(counts.byFamily);
  if (families.length === 0) return null;
  return (
    <Panel title={title} note="Malware families and tools that current threat lists name for these values.">
      <ul className={css.onward}>
        {families.slice(0, FAMILIES_MAX).map(([family, count]) => (
          <li key={family}>
            <Link to={familyPath(family)}>
              <InertText>{family}</InertText>
            </Link>{' '}
            <span className="note">{exact(count)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
