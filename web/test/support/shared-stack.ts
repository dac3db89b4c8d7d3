import { inject } from 'vitest';
import { openStack, type Stack } from './stack.ts';

/** The shared service without data: a test file loads its own lists and creates its own accounts. */
export const joinPlainStack = (): Promise<Stack> => openStack(inject('sharedServices').plain);

export type SampleStacks = {
  readonly answering: Stack;
  readonly failing: Stack;
  readonly stop: () => Promise<void>;
};

export async function joinSampleStacks(): Promise<SampleStacks> {
  const { sample, failing } = inject('sharedServices');
  const stacks = await Promise.all([openStack(sample), openStack(failing)]);
  return {
    answering: stacks[0],
    failing: stacks[1],
    stop: async () => {
      for (const stack of stacks) await stack.stop();
    },
  };
}
