/**
 * The last hour from `from` to `most` at which `holds` is true. `holds` must be true at `from` and, once false, stay
 * false, as for a score that only fades. Calls it about twice for each doubling of the time.
 */
export function lastHourOf(
  holds: (hour: number) => boolean,
  { from, most }: { readonly from: number; readonly most: number },
): number {
  let [last, step] = [from, 1];
  while (last < most && holds(Math.min(most, last + step))) {
    last = Math.min(most, last + step);
    step *= 2;
  }
  let end = Math.min(most + 1, last + step);
  while (end - last > 1) {
    const middle = last + Math.floor((end - last) / 2);
    if (holds(middle)) last = middle;
    else end = middle;
  }
  return last;
}
