import type { Person, Target } from './attack.ts';

/** The person of an attack that needs one; the `nth` where there are several. */
export function personOf({ people = [] }: Pick<Target, 'people'>, nth = 0): Person {
  const person = people[nth % people.length];
  if (person === undefined) throw new Error('This attack needs a person who can sign in with a password.');
  return person;
}
