import { GateError } from '#capabilities/lists/index.ts';
import type { LoadContent } from './definition.ts';

/** Judges content. True: a gate refused it and an operator overruled that gate. Throws when the refusal stands. */
export function overrulable({ overrule }: Pick<LoadContent, 'overrule'>, judge: () => void): boolean {
  try {
    judge();
    return false;
  } catch (error) {
    if (!(error instanceof GateError) || overrule?.(error) !== true) throw error;
    return true;
  }
}
