export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;
export const HOUR_MS = 1_000 * HOUR_S;
export const DAY_MS = 1_000 * DAY_S;
