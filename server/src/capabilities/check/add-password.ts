import type { Passwords } from '#capabilities/passwords/index.ts';
import type { Indicator } from '#domain/indicator/index.ts';
import type { CheckResult } from './contract.ts';

/**
 * Traps 7 and 8, C18: found anew for each call and kept nowhere; says nothing about the file the value may also name.
 * Never of a past moment: what is breached is breached.
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
