import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import { setSelected } from './bulk-run.ts';
import { HeadingLine } from './heading-line.tsx';
import { openedEntity } from './opened-row.ts';
import { type Column, columnsOf, widthsOf } from './table-columns.ts';
import { keyOf, tableLines } from './table-lines.ts';
import { TriageRowView } from './triage-row.tsx';
import css from './triage-table.module.css';
import { type TriageRow, type TriageView, toggled } from './triage-view.ts';

const ROW_PX = 37;
const STACKED_ROW_PX = 104;
const HEADING_PX = 44;
/** The sticky head's height: a row scrolled into view must not end up below it. */
const HEAD_PX = 44;
const STACKED = '(max-width: 820px)';

/** Renders only the visible rows of up to ten thousand. ARIA roles make it a table for screen readers. */
export function TriageTable({
  shown,
  view,
  setView,
  selected,
}: {
  shown: readonly TriageRow[];
  view: TriageView;
  setView: (view: TriageView) => void;
  selected: ReadonlySet<string>;
}) {
  const body = useRef<HTMLDivElement>(null);
  const scrollMargin = useTopOf(body);
  const [isStacked] = useState(() => window.matchMedia(STACKED).matches);
  const { lines, lineOfRow } = useMemo(() => tableLines(shown), [shown]);
  const columns = useMemo(() => columnsOf(shown), [shown]);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) =>
      lines[index]?.kind === 'row' ? (isStacked ? STACKED_ROW_PX : ROW_PX) : HEADING_PX,
    getItemKey: (index) => keyOf(lines[index]) ?? index,
    overscan: 8,
    scrollMargin,
    scrollPaddingStart: HEAD_PX,
  });
  const [current, setCurrent] = useState(() => shown.findIndex(({ row }) => row.entity === openedEntity()));
  useRowKeys(shown, selected, current, (index) => {
    setCurrent(index);
    virtual.scrollToIndex(lineOfRow[index] ?? 0, { align: 'auto' });
    focusRow(index);
  });
  const areAllSelected = shown.every(({ row }) => selected.has(row.entity));
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements.
    <div
      className={css.table}
      role="table"
      aria-label="Checked indicators"
      aria-rowcount={lines.length + 1}
      style={{ '--columns': widthsOf(columns) } as React.CSSProperties}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the controls inside are focusable. */}
      <div role="row" aria-rowindex={1} className={css.head}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the checkbox inside is focusable. */}
        <span role="columnheader" className={css.tick}>
          <input
            type="checkbox"
            aria-label="Select all rows shown"
            checked={areAllSelected}
            onChange={() =>
              setSelected(areAllSelected ? new Set() : new Set(shown.map(({ row }) => row.entity)))
            }
          />
        </span>
        {columns.map((column) => (
          <ColumnHead key={column.title} {...column} view={view} setView={setView} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements. */}
      <div role="rowgroup" ref={body} className={css.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          const place = {
            line: item.index,
            topPx: item.start - scrollMargin,
            measure: virtual.measureElement,
          };
          if (line.kind !== 'row')
            return <HeadingLine key={item.key} heading={line} place={place} span={columns.length + 1} />;
          return (
            <TriageRowView
              key={item.key}
              triage={line.triage}
              shown={shown}
              index={line.index}
              place={place}
              columns={columns}
              isSelected={selected.has(line.triage.row.entity)}
              isCurrent={line.index === current}
              becomeCurrent={() => setCurrent(line.index)}
            />
          );
        })}
      </div>
    </div>
  );
}

function ColumnHead({
  title,
  sort,
  isNumber = false,
  view,
  setView,
}: Pick<Column, 'title' | 'sort' | 'isNumber'> & {
  view: TriageView;
  setView: (view: TriageView) => void;
}) {
  const isSorted = sort !== undefined && view.sort === sort;
  const isDescending = (sort === 'risk' || sort === 'sources' || sort === 'seen') !== view.isReversed;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, so no table elements.
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside is focusable.
    <span
      role="columnheader"
      className={isNumber ? css.number : undefined}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      {sort === undefined ? (
        title
      ) : (
        <button
          type="button"
          className={css.sort}
          onClick={() => setView({ ...view, sort, isReversed: isSorted ? !view.isReversed : false })}
        >
          {title}
          <span aria-hidden="true">{isSorted ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
        </button>
      )}
    </span>
  );
}

function useRowKeys(
  shown: readonly TriageRow[],
  selected: ReadonlySet<string>,
  current: number,
  go: (index: number) => void,
): void {
  const state = useRef({ shown, selected, current, go });
  useEffect(() => {
    state.current = { shown, selected, current, go };
  });
  useActions(
    useMemo<readonly Action[]>(() => {
      const by = (step: number) => (): void => {
        const now = state.current;
        now.go(Math.max(0, Math.min(now.shown.length - 1, now.current + step)));
      };
      const select = (): void => {
        const entity = state.current.shown[state.current.current]?.row.entity;
        if (entity !== undefined) setSelected(toggled(state.current.selected, entity));
      };
      return [
        { id: 'bulk-next', title: 'Next row (Enter opens it)', group: 'This page', keys: 'j', run: by(1) },
        { id: 'bulk-previous', title: 'Previous row', group: 'This page', keys: 'k', run: by(-1) },
        { id: 'bulk-select', title: 'Select the row', group: 'This page', keys: 'x', run: select },
      ];
    }, []),
  );
}

/** The virtualizer may need several frames to render the row. */
function focusRow(index: number, framesLeft = 10): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-row="${index}"] [data-row-focus]`);
    if (row !== null) row.focus({ preventScroll: true });
    else if (framesLeft > 0) focusRow(index, framesLeft - 1);
  });
}

function useTopOf(element: React.RefObject<HTMLElement | null>): number {
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    const look = (): void => {
      if (element.current !== null)
        setTopPx(Math.round(element.current.getBoundingClientRect().top + window.scrollY));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return topPx;
}
