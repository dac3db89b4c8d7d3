/**
 * The contract's lowest level is `safe`, also where no source knows the indicator. A copied level is read without its
 * context, so `safe` stays only where the verdict is safe and becomes `unknown` elsewhere; saved reports do the same.
 */
export const toldLevel = <Level extends string>(
  level: Level,
  verdict: string | undefined,
): Level | 'unknown' => (level === 'safe' && verdict !== 'safe' ? 'unknown' : level);
