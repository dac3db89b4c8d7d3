/** What other parts of the page ask of the one box. */
export type BoxRequest =
  /** As if it had been pasted: one indicator is opened, a list is offered. */
  | { readonly kind: 'check'; readonly text: string; readonly history: 'push' | 'replace' }
  | { readonly kind: 'choose-file' };

let listener: ((request: BoxRequest) => void) | null = null;
let waiting: BoxRequest[] = [];

export function askBox(request: BoxRequest): void {
  if (listener === null) waiting.push(request);
  else listener(request);
}

/** There is one box, so there is one listener. It gets what was asked before it was there. */
export function listenToRequests(next: (request: BoxRequest) => void): () => void {
  listener = next;
  const missed = waiting;
  waiting = [];
  for (const request of missed) next(request);
  return () => {
    if (listener === next) listener = null;
  };
}
