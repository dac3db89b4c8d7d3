import type { ContextFacts } from './facts.ts';

/**
 * The parent is the platform of the subject, or lies above it: strangers register names below it, so what is listed of it,
 * or guards it, is not about the subject.
 */
export const isSharedParent = (parent: string, { platform }: Pick<ContextFacts, 'platform'>): boolean =>
  platform !== null && (platform === parent || platform.endsWith(`.${parent}`));
