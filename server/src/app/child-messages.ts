import { registry } from '#platform/metrics.ts';

/** What processes of one node say to each other over the pipe of `fork`. */
export type ToChild = { readonly type: 'metrics'; readonly id: number };
export type FromChild =
  | { readonly type: 'listening'; readonly url: string }
  | { readonly type: 'metrics'; readonly id: number; readonly page: object };

export const sayToParent = (message: FromChild): void => {
  process.send?.(message);
};

/** Answers the parent's questions and leaves with it: a child must not outlive a parent that was killed. */
export function followParent(leave: () => void): void {
  if (process.send === undefined) return;
  process.once('disconnect', leave);
  process.on('message', (message: ToChild) => {
    if (message.type === 'metrics')
      void registry.getMetricsAsJSON().then((page) => sayToParent({ type: 'metrics', id: message.id, page }));
  });
}

/** Runs `leave` once on SIGTERM or SIGINT. */
export function onStopSignal(leave: () => void): void {
  let left = false;
  const once = () => {
    if (left) return;
    left = true;
    leave();
  };
  process.on('SIGTERM', once).on('SIGINT', once);
}

/** Exit code of a listener whose address is taken: starting it again would only fail again. */
export const ADDRESS_TAKEN = 78;
