import type { Passwords } from '#capabilities/passwords/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { CheckResult } from './contract.ts';

/**
 * Adds whether the hash is one of a breached password. It is looked up on each call and never cached, and says nothing
 * about a file with the same hash (traps 7 and 8, C18). It ignores `asOf`, because a breach does not end.
 */
export function addPassword(
  { passwords }: { readonly passwords: Pick<Passwords, 'find'> },
  indicator: Indicator,
  result: CheckResult,
): void {
  if (indicator.kind !== 'hash' || indicator.algorithm === 'sha256') return;
  const found = passwords.find({ algorithm: indicator.algorithm, value: indicator.value });
  if (found !== null) result.pwnedPassword = found;
}
