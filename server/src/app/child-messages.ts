import { type MetricsPage, metricsPage } from '#platform/metrics.ts';

/** The messages between processes of one node, over the pipe of `fork`. */
export type ToChild = { readonly type: 'metrics'; readonly id: number };
export type FromChild =
  | { readonly type: 'listening'; readonly url: string }
  /** The worker takes jobs. */
  | { readonly type: 'working' }
  | { readonly type: 'metrics'; readonly id: number; readonly page: MetricsPage };

export const sayToParent = (message: FromChild): void => {
  process.send?.(message);
};

/** Answers the parent's requests and ends with it: a child must not outlive a killed parent. */
export function followParent(leave: () => void): void {
  if (process.send === undefined) return;
  process.once('disconnect', leave);
  process.on('message', (message: ToChild) => {
    if (message.type === 'metrics')
      void metricsPage().then((page) => sayToParent({ type: 'metrics', id: message.id, page }));
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

/** The exit code of a listener whose address is taken; a restart would fail again. */
export const ADDRESS_TAKEN = 78;
