export type BoxRequest =
  /** Handled like a paste: one indicator opens its page, a list is offered for bulk triage. */
  | { readonly kind: 'check'; readonly text: string; readonly history: 'push' | 'replace' }
  | { readonly kind: 'choose-file' };

let listener: ((request: BoxRequest) => void) | null = null;
let waiting: BoxRequest[] = [];

export function askBox(request: BoxRequest): void {
  if (listener === null) waiting.push(request);
  else listener(request);
}

/** The page has one box, so one listener. Requests made before it mounted are delivered first. */
export function listenToRequests(next: (request: BoxRequest) => void): () => void {
  listener = next;
  const missed = waiting;
  waiting = [];
  for (const request of missed) next(request);
  return () => {
    if (listener === next) listener = null;
  };
}
