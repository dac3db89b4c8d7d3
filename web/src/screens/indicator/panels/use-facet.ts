import type { PanelState } from '../../../ui/panel.tsx';
import type { CheckSeen } from './check-seen.ts';
import { FACETS, type FacetValue, facetState, partOf, whoOf } from './facet-state.ts';
import { hostOf } from './panel-order.ts';
import { type AskableFacet, type Asking, useAskAgain } from './use-ask-again.ts';

export type PanelInput = {
  readonly seen: CheckSeen;
  readonly isSignedIn: boolean;
  readonly isSilent: boolean;
};

export function useFacet<F extends AskableFacet>(
  facet: F,
  { seen, isSignedIn, isSilent }: PanelInput,
): { readonly value: FacetValue<F> | null; readonly state: PanelState } {
  const [asking, ask] = useAskAgain(facet, queryOf(seen));
  const streamed = partOf(seen, facet);
  if (streamed !== null) return { value: streamed, state: { kind: 'ready' } };
  const again = askedState(whoOf(seen, facet), facet, asking, ask);
  if (again !== null) return { value: asking.kind === 'answered' ? asking.answer.value : null, state: again };
  return { value: null, state: facetState(seen, facet, { isSilent, isSignedIn, askAgain: ask }) };
}

/** Certificates and locations belong to hosts, so a URL is asked by its host. */
const queryOf = ({ target }: CheckSeen): string =>
  target.type === 'url' ? (hostOf(target.value)?.value ?? target.value) : target.value;

function askedState<F extends AskableFacet>(
  who: string,
  facet: F,
  asking: Asking<F>,
  retry: () => void,
): PanelState | null {
  switch (asking.kind) {
    case 'idle':
      return null;
    case 'asking':
      return { kind: 'loading', what: `Asking ${who}.` };
    case 'failed': {
      const { title, detail, requestId } = asking.failure;
      const id = requestId === null ? '' : ` Request ${requestId}.`;
      return { kind: 'error', what: `${title}. ${detail}${id}`, retry };
    }
    case 'answered': {
      const { value, message } = asking.answer;
      if (value === null) return { kind: 'empty', why: message ?? FACETS[facet].nothing };
      return message === null ? { kind: 'ready' } : { kind: 'degraded', what: message };
    }
  }
}
