import { Button } from '../../ui/button.tsx';
import { exact, plural } from '../../words/numbers.ts';
import { chosenOf } from './chosen-rows.ts';
import { DECISION_WORDS, DECISIONS, type Decision } from './decision.ts';
import css from './decision-groups.module.css';
import { firewallList } from './firewall-list.ts';
import { copyFirewallList, copyTicket, saveCsv } from './hand-over.ts';
import { countDecisions, type TriageRow, type TriageView, toggled } from './triage-view.ts';

/** The four groups with their counts and what can be done with each. The heading filters the table. */
export function DecisionGroups({
  rows,
  shown,
  selected,
  view,
  setView,
  sum,
  say,
}: {
  rows: readonly TriageRow[];
  shown: readonly TriageRow[];
  selected: ReadonlySet<string>;
  view: TriageView;
  setView: (view: TriageView) => void;
  sum: string;
  say: (sentence: string) => void;
}) {
  const counts = countDecisions(rows);
  return (
    <div className={css.groups}>
      {DECISIONS.map((decision) => (
        <Group
          key={decision}
          decision={decision}
          count={counts[decision]}
          chosen={chosenIn(decision, shown, selected)}
          isPressed={view.groups.has(decision)}
          toggle={() => setView({ ...view, groups: toggled(view.groups, decision) })}
          sum={sum}
          say={say}
        />
      ))}
    </div>
  );
}

/** The selected rows of a group; all its visible rows when none of them is selected. */
export function chosenIn(
  decision: Decision,
  shown: readonly TriageRow[],
  selected: ReadonlySet<string>,
): readonly TriageRow[] {
  const here = shown.filter(({ part }) => part.decision === decision);
  const chosen = chosenOf(here, selected);
  return chosen.length === 0 ? here : chosen;
}

function Group({
  decision,
  count,
  chosen,
  isPressed,
  toggle,
  sum,
  say,
}: {
  decision: Decision;
  count: number;
  chosen: readonly TriageRow[];
  isPressed: boolean;
  toggle: () => void;
  sum: string;
  say: (sentence: string) => void;
}) {
  const { title, why } = DECISION_WORDS[decision];
  const list = firewallList(chosen);
  const keys = decision === 'block';
  return (
    <section
      className={css.group}
      aria-label={`${title}: ${plural(count, 'indicator')}`}
      data-decision={decision}
    >
      <h2 className={css.title}>
        <button type="button" className={css.filter} aria-pressed={isPressed} onClick={toggle}>
          <span>{title}</span> <b>{exact(count)}</b>
        </button>
      </h2>
      <p className={css.why}>{why}</p>
      <div className={css.actions}>
        {(decision === 'block' || decision === 'look') && (
          <Button
            {...(keys && { keys: 'f' })}
            disabled={list.count === 0}
            onClick={() => void copyFirewallList(chosen).then(say)}
          >
            Copy as firewall list
          </Button>
        )}
        <Button
          {...(keys && { keys: 't' })}
          disabled={chosen.length === 0}
          onClick={() => void copyTicket(decision, chosen, sum).then(say)}
        >
          Copy as ticket
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => saveCsv(chosen, decision)}>
          Save CSV
        </Button>
      </div>
    </section>
  );
}
