/** Three decimals: enough for readers, and the same text on every machine. */
export const round3 = (value: number): number => Math.round(value * 1000) / 1000;
