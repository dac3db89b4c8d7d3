const EXACT = new Intl.NumberFormat('en-US');
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export const exact = (count: number): string => EXACT.format(count);
/** `1.9M`, for prose; show the exact number in the tooltip. */
export const short = (count: number): string => SHORT.format(count);
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${exact(count)} ${count === 1 ? one : many}`;
