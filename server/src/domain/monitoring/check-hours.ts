import type { Plan } from '../plans/plans.ts';

/** Hours between checks for changes that no list reports: certificate, registration, location and mere ageing. */
export const CHECK_HOURS: Readonly<Record<Plan, number>> = { FREE: 24, BASIC: 12, PRO: 6, ENTERPRISE: 1 };
