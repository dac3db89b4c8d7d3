/** Whole numbers that add up to `total`, each as close to its share as possible; ties go to the smaller name. */
export function apportion(
  total: number,
  shares: readonly { readonly name: string; readonly share: number }[],
): ReadonlyMap<string, number> {
  const sum = shares.reduce((before, { share }) => before + share, 0);
  const parts = shares.map(({ name, share }) => {
    const exact = sum > 0 ? (total * share) / sum : 0;
    const whole = Math.floor(exact + 1e-9);
    return { name, whole, rest: exact - whole };
  });
  let left = total - parts.reduce((before, { whole }) => before + whole, 0);
  const byRest = [...parts].sort((a, b) => b.rest - a.rest || (a.name < b.name ? -1 : 1));
  const points = new Map(parts.map(({ name, whole }) => [name, whole]));
  for (const { name, whole } of byRest) {
    if (left <= 0) break;
    points.set(name, whole + 1);
    left -= 1;
  }
  return points;
}
