import type { Dmarc } from './dmarc.ts';
import type { Spf } from './spf.ts';

export type MailGrade = 'A' | 'B' | 'C' | 'D' | 'E' | 'F';

/** `strict`: other senders are refused or marked. `weak`: a record that stops no sender. `open`: all pass. */
export type SpfStrength = 'strict' | 'weak' | 'absent' | 'open';
export type DmarcStrength = 'reject' | 'quarantine' | 'monitor' | 'absent';

/**
 * How hard it is to deliver mail in this domain's name. DMARC decides most, because it alone covers the sender that a
 * reader sees; SPF alone is second. `+all` costs two grades, because strangers pass. DKIM is left out: that no common
 * selector was found proves nothing.
 */
const GRADES: Readonly<Record<DmarcStrength, Readonly<Record<SpfStrength, MailGrade>>>> = {
  reject: { strict: 'A', weak: 'B', absent: 'B', open: 'D' },
  quarantine: { strict: 'B', weak: 'C', absent: 'C', open: 'E' },
  monitor: { strict: 'C', weak: 'D', absent: 'D', open: 'F' },
  absent: { strict: 'D', weak: 'E', absent: 'F', open: 'F' },
};

/** `spf` is the record after its redirects have been followed. */
export const gradeMail = (spf: Spf | null, dmarc: Dmarc | null): MailGrade =>
  GRADES[dmarcStrength(dmarc)][spfStrength(spf)];

export function spfStrength(spf: Spf | null): SpfStrength {
  if (spf === null) return 'absent';
  if (spf.problem !== null) return 'weak';
  if (spf.all === '+') return 'open';
  return spf.all === '-' || spf.all === '~' ? 'strict' : 'weak';
}

/** Below 100 % the remaining mail gets the next milder treatment (RFC 7489 6.6.4), so that treatment is graded. */
export function dmarcStrength(dmarc: Dmarc | null): DmarcStrength {
  if (dmarc === null) return 'absent';
  const isWhole = dmarc.percent === 100;
  if (dmarc.policy === 'reject') return isWhole ? 'reject' : 'quarantine';
  return dmarc.policy === 'quarantine' && isWhole ? 'quarantine' : 'monitor';
}
