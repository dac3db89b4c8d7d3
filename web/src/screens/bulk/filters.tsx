import { VerdictBar } from '../../charts/verdict-bar.tsx';
import { VerdictShape } from '../../ui/verdict-mark.tsx';
import { exact } from '../../words/numbers.ts';
import css from './bulk.module.css';
import { countTypes, countVerdicts, type TriageRow, type TriageView, toggled } from './triage-view.ts';
import { typeWord } from './type-words.ts';

export function Filters({
  rows,
  view,
  setView,
}: {
  rows: readonly TriageRow[];
  view: TriageView;
  setView: (view: TriageView) => void;
}) {
  const verdicts = countVerdicts(rows);
  const types = countTypes(rows);
  const toggleVerdict = (id: string): void => setView({ ...view, verdicts: toggled(view.verdicts, id) });
  return (
    <div className={css.filters}>
      <VerdictBar
        parts={verdicts.map(({ verdict, count }) => ({ ...verdict, count }))}
        pressed={view.verdicts}
        toggle={toggleVerdict}
      />
      <div className={css.chips}>
        <fieldset className={css.chipGroup}>
          <legend className="visually-hidden">Show these verdicts</legend>
          {verdicts.map(({ verdict: { id, word, tone }, count }) => (
            <button
              key={id}
              type="button"
              className={css.chip}
              aria-pressed={view.verdicts.has(id)}
              onClick={() => toggleVerdict(id)}
            >
              <VerdictShape tone={tone} px={11} />
              {word} <b>{exact(count)}</b>
            </button>
          ))}
        </fieldset>
        <fieldset className={css.chipGroup}>
          <legend className="visually-hidden">Show these types</legend>
          {types.map(({ type, count }) => (
            <button
              key={type}
              type="button"
              className={css.chip}
              aria-pressed={view.types.has(type)}
              onClick={() => setView({ ...view, types: toggled(view.types, type) })}
            >
              {typeWord(type)} <b>{exact(count)}</b>
            </button>
          ))}
        </fieldset>
      </div>
    </div>
  );
}
