export const CASE_STATUSES = ['OPEN', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
/** Least urgent first. */
export const CASE_PRIORITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type CasePriority = (typeof CASE_PRIORITIES)[number];

export const isOpen = (status: CaseStatus): boolean => status === 'OPEN' || status === 'IN_PROGRESS';

/** Every move is allowed, but a closed case can only be opened again (G23). */
export const mayMove = (from: CaseStatus, to: CaseStatus): boolean =>
  from === to || from !== 'CLOSED' || to === 'OPEN';
