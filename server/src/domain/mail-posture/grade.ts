import type { Dmarc } from './dmarc.ts';
import type { Spf } from './spf.ts';

export type MailGrade = 'A' | 'B' | 'C' | 'D' | 'E' | 'F';

/** `strict`: others are refused or marked. `weak`: published, and stops nobody. `open`: anybody may send. */
export type SpfStrength = 'strict' | 'weak' | 'absent' | 'open';
export type DmarcStrength = 'reject' | 'quarantine' | 'monitor' | 'absent';

/**
 * How hard it is to send mail in this domain's name and have it delivered. DMARC rules, because only it speaks of the
 * sender a reader sees; SPF alone is the next best; `+all` costs two grades, because it makes strangers pass. DKIM is not
 * in it: that no selector was found proves nothing.
 */
const GRADES: Readonly<Record<DmarcStrength, Readonly<Record<SpfStrength, MailGrade>>>> = {
  reject: { strict: 'A', weak: 'B', absent: 'B', open: 'D' },
  quarantine: { strict: 'B', weak: 'C', absent: 'C', open: 'E' },
  monitor: { strict: 'C', weak: 'D', absent: 'D', open: 'F' },
  absent: { strict: 'D', weak: 'E', absent: 'F', open: 'F' },
};

/** `spf` after its redirects have been followed. */
export const gradeMail = (spf: Spf | null, dmarc: Dmarc | null): MailGrade =>
  GRADES[dmarcStrength(dmarc)][spfStrength(spf)];

export function spfStrength(spf: Spf | null): SpfStrength {
  if (spf === null) return 'absent';
  if (spf.problem !== null) return 'weak';
  if (spf.all === '+') return 'open';
  return spf.all === '-' || spf.all === '~' ? 'strict' : 'weak';
}

/** RFC 7489 6.6.4: below 100 % the rest of the mail gets the next milder treatment, so that is what is graded. */
export function dmarcStrength(dmarc: Dmarc | null): DmarcStrength {
  if (dmarc === null) return 'absent';
  const isWhole = dmarc.percent === 100;
  if (dmarc.policy === 'reject') return isWhole ? 'reject' : 'quarantine';
  return dmarc.policy === 'quarantine' && isWhole ? 'quarantine' : 'monitor';
}
