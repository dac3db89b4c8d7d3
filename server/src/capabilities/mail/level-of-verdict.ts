import type { GateVerdict, LinkVerdict } from '#domain/gate/index.ts';
import type { MailVerdict } from '#domain/mail/index.ts';
import type { RiskLevel } from '#domain/scoring/index.ts';

/** The ladder of O49, on which verdicts of all routes are counted together. A text without objection is not called safe. */
export const LEVEL_OF_MAIL: Readonly<Record<MailVerdict, RiskLevel>> = {
  malicious: 'critical',
  suspicious: 'medium',
  clean: 'safe',
  inconclusive: 'inconclusive',
};
export const LEVEL_OF_LINK: Readonly<Record<LinkVerdict, RiskLevel>> = {
  malicious: 'critical',
  suspicious: 'medium',
  clean: 'safe',
  unknown: 'inconclusive',
};
export const LEVEL_OF_GATE: Readonly<Record<GateVerdict, RiskLevel>> = {
  block: 'critical',
  warn: 'medium',
  allow: 'inconclusive',
};
