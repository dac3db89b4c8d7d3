import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { InertText } from '../../../ui/inert-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import css from './context-panels.module.css';
import type { Fact, FactValue } from './facts.ts';

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={`facts ${css.facts}`}>
      {facts.map(({ term, value }) => (
        <div key={term} className={css.fact}>
          <dt>{term}</dt>
          <dd>
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: FactValue }) {
  switch (value.kind) {
    case 'own':
      return value.text;
    case 'said':
      return <InertText mono={value.isMono ?? false}>{value.text}</InertText>;
    case 'date':
      return (
        <>
          <Moment at={value.at} form="date" />
          {value.note !== undefined && <span className={css.aside}>, {value.note}</span>}
        </>
      );
    case 'list':
      return <Items items={value.items} isMono={value.isMono ?? false} />;
  }
}

const ITEMS_SHOWN = 3;

function Items({ items, isMono }: { items: readonly string[]; isMono: boolean }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? items : items.slice(0, ITEMS_SHOWN);
  return (
    <>
      {shown.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same value may appear twice, and the order is fixed.
        <div key={index}>
          <InertText mono={isMono}>{item}</InertText>
        </div>
      ))}
      {shown.length < items.length && (
        <Button look="plain" onClick={() => setShowsAll(true)}>
          Show all {items.length}
        </Button>
      )}
    </>
  );
}
