import { type Attack, attacksOn, attackText } from './regex-attacks.ts';
import { stepCounter, TooManySteps } from './regex-steps.ts';

/** Repetitions of the pump in the first look at every attack, and in the second at those that grew too fast. */
const FIRST_LOOK = 40;
const SECOND_LOOKS = [400, 100] as const;
/** Twice the text is twice the steps of a linear expression, four times those of a quadratic one. */
const GROWTH_MAX = 3;
const STEPS_MAX = 2_000_000;

/**
 * The first attack under which the expression takes more than linear work, or null. A repetition with an upper bound looks
 * quadratic in short texts, so the second look is at texts beyond such bounds.
 */
export function superlinearAttack(expression: RegExp): Attack | null {
  const steps = stepCounter(expression);
  const growth = (attack: Attack, times: number): number => {
    try {
      const small = steps(attackText(attack, times), STEPS_MAX);
      return steps(attackText(attack, 2 * times), STEPS_MAX) / small;
    } catch (error) {
      if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY;
      throw error;
    }
  };
  const second = (attack: Attack): number => {
    for (const times of SECOND_LOOKS)
      try {
        return growth(attack, times);
      } catch (error) {
        // Nested repetitions recurse, and the stack holds fewer of them.
        if (!(error instanceof RangeError)) throw error;
      }
    return Number.POSITIVE_INFINITY;
  };
  return (
    attacksOn(expression).find(
      (attack) => growth(attack, FIRST_LOOK) > GROWTH_MAX - 0.2 && second(attack) > GROWTH_MAX,
    ) ?? null
  );
}
