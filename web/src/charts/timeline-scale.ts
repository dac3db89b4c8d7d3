export type TimelineStep = { readonly atMs: number; readonly count: number };
export type TimelineTick = { readonly atMs: number; readonly label: string };

export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

export function countMarks(max: number): readonly number[] {
  const step = Math.max(1, Math.ceil(max / 3));
  return Array.from({ length: Math.floor(Math.max(1, max) / step) + 1 }, (_, index) => index * step);
}

export function timelineSentence(steps: readonly TimelineStep[], ticks: readonly TimelineTick[]): string {
  const last = steps.at(-1)?.count;
  const most = Math.max(0, ...steps.map(({ count }) => count));
  const line =
    last === undefined
      ? 'Timeline'
      : `Timeline: ${last} ${last === 1 ? 'source lists' : 'sources list'} it now, ${most} at most since ${dayOf(steps[0]?.atMs ?? 0)}`;
  return [line, ...ticks.map(({ atMs, label }) => `${label} ${dayOf(atMs)}`)].join('; ');
}
