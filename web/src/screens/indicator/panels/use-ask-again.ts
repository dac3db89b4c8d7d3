import { useEffect, useRef, useState } from 'react';
import { assay } from '../../../service/client.ts';
import { describeFailure, type Failure } from '../../../service/failure.ts';
import type { FacetValue } from './facet-state.ts';

export type AskableFacet = 'whois' | 'certificates' | 'vulnerabilities' | 'geo';
type Answer<F extends AskableFacet> = {
  readonly value: FacetValue<F> | null;
  readonly message: string | null;
};

const ASK: { readonly [F in AskableFacet]: (query: string, signal: AbortSignal) => Promise<Answer<F>> } = {
  whois: async (query, signal) => {
    const { whois, message } = await assay.call('getCheckWhois', { query: { query } }, { signal });
    return { value: whois, message: message ?? null };
  },
  certificates: async (query, signal) => {
    const reply = await assay.call('getCheckCertificates', { query: { query } }, { signal });
    return { value: reply.certificates, message: reply.message ?? null };
  },
  vulnerabilities: async (query, signal) => {
    const reply = await assay.call('getCheckVulnerabilities', { query: { query } }, { signal });
    return { value: reply.vulnerabilities, message: reply.message ?? null };
  },
  geo: async (query, signal) => {
    const { geo, message } = await assay.call('getCheckLocation', { query: { query } }, { signal });
    return { value: geo, message: message ?? null };
  },
};

export type Asking<F extends AskableFacet> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'answered'; readonly answer: Answer<F> }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Requests one facet alone. That costs a check, so it runs only on the reader's request. */
export function useAskAgain<F extends AskableFacet>(
  facet: F,
  query: string,
): readonly [Asking<F>, () => void] {
  const [asking, setAsking] = useState<Asking<F>>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const ask = (): void => {
    if (asking.kind === 'asking') return;
    const controller = new AbortController();
    running.current = controller;
    setAsking({ kind: 'asking' });
    ASK[facet](query, controller.signal).then(
      (answer) => setAsking({ kind: 'answered', answer }),
      (error: unknown) => {
        if (!controller.signal.aborted)
          setAsking({ kind: 'failed', failure: describeFailure(error, Date.now()) });
      },
    );
  };
  return [asking, ask];
}
