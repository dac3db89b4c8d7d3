import type { Plan } from '../plans/plans.ts';

/** Hours between two checks of what no list tells: certificate, registration and location, and what has only aged. */
export const CHECK_HOURS: Readonly<Record<Plan, number>> = { FREE: 24, BASIC: 12, PRO: 6, ENTERPRISE: 1 };
