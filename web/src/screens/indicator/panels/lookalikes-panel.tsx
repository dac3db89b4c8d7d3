import type { SearchResults } from '@assay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IndicatorLink } from '../../../box/indicator-link.tsx';
import { assay } from '../../../service/client.ts';
import { describeFailure } from '../../../service/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNote } from '../../../ui/failure-note.tsx';
import { InertText } from '../../../ui/inert-text.tsx';
import { FoldingPanel, type PanelState } from '../../../ui/panel.tsx';
import { MarkedName } from '../marked-name.tsx';
import css from './context-panels.module.css';
import { type PanelProps, RESERVED_PX } from './fact-panels.tsx';
import { lookalikeSentence, NO_LOOKALIKE, othersOf, passesBy } from './lookalikes.ts';
import { TITLES } from './panel-order.ts';
import { useFirst } from './use-first.tsx';

/** Listed names that imitate this one. Requested by a button, because it costs a check. */
export function LookalikesPanel({ seen, isSignedIn, startsOpen }: PanelProps) {
  const [isWanted, setWanted] = useState(false);
  const { value } = seen.target;
  const asked = useQuery({
    queryKey: ['lookalikes', value],
    queryFn: ({ signal }): Promise<SearchResults> =>
      assay.call('postApiSearch', { query: { keywords: value } }, { signal }),
    enabled: isWanted && isSignedIn,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const found = asked.data ?? null;
  const { first, more } = useFirst(found === null ? [] : othersOf(found));
  return (
    <FoldingPanel
      title={TITLES.lookalikes}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={stateOf({ isSignedIn, isAsking: asked.isFetching, found })}
    >
      {found !== null && <p className="note">{lookalikeSentence(found)}</p>}
      {found === null && asked.error === null && (
        <>
          <p className="note">Names on threat lists that imitate this one. Costs one check.</p>
          <Button onClick={() => setWanted(true)}>Search look-alikes</Button>
        </>
      )}
      {asked.error !== null && found === null && (
        <FailureNote
          failure={describeFailure(asked.error, asked.errorUpdatedAt)}
          retry={() => void asked.refetch()}
        />
      )}
      <ul className={css.list}>
        {first.map((hit) => (
          <li key={hit.value} className={css.line}>
            <IndicatorLink target={{ type: 'domain', value: hit.value }}>
              <InertText mono>{hit.value}</InertText>
            </IndicatorLink>
            <span className={css.aside}>
              {passesBy(hit)}, risk {hit.score}
            </span>
            <MarkedName value={hit.value} of={value} />
          </li>
        ))}
      </ul>
      {more}
    </FoldingPanel>
  );
}

function stateOf({
  isSignedIn,
  isAsking,
  found,
}: {
  isSignedIn: boolean;
  isAsking: boolean;
  found: SearchResults | null;
}): PanelState {
  if (!isSignedIn)
    return { kind: 'empty', why: 'Sign in to search threat lists for names that imitate this one.' };
  if (isAsking) return { kind: 'loading', what: 'Searching the lists.' };
  if (found !== null && othersOf(found).length === 0) return { kind: 'empty', why: NO_LOOKALIKE };
  return { kind: 'ready' };
}
