import { z } from 'zod';
import { STEPS } from './steps.ts';

export const Onboarding = z
  .object({
    steps: z
      .array(z.object({ id: z.enum(STEPS), label: z.string().max(200), done: z.boolean() }))
      .max(STEPS.length)
      .describe('Those that your account can take, in order. A step that was done stays done.'),
    completedAt: z.iso
      .datetime()
      .nullable()
      .describe('When all steps were first seen done. It stays when a later plan adds a step.'),
  })
  .meta({ id: 'Onboarding' });
export type Onboarding = z.output<typeof Onboarding>;

export const TickBody = z
  .object({
    step: z.enum(STEPS).describe('`reference`. The others are ticked by what your account does.'),
    done: z.boolean(),
  })
  .meta({ id: 'OnboardingTick' });
export type TickBody = z.output<typeof TickBody>;
