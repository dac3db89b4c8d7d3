/**
 * The contract's lowest level is called `safe`, also where nobody knows anything. Whoever takes it along reads it without
 * the rest, so it stays only where the evidence vouches; saved reports do the same.
 */
export const toldLevel = <Level extends string>(
  level: Level,
  verdict: string | undefined,
): Level | 'unknown' => (level === 'safe' && verdict !== 'safe' ? 'unknown' : level);
