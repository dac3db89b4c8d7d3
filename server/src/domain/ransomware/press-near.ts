const DAY_MS = 86_400_000;

/** How far from a claim's date articles count: the press may report an attack earlier or much later (O26). */
export const PRESS_BEFORE_MS = 60 * DAY_MS;
export const PRESS_AFTER_MS = 180 * DAY_MS;
