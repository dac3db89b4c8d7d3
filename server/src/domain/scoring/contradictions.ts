import { type Findings, hasSeriousGrade } from './findings.ts';
import type { RiskLevel } from './levels.ts';
import type { Contradiction } from './verdict.ts';
import type { Voucher } from './vouchers.ts';
import { countOf } from './wording.ts';

type Severity = Contradiction['severity'];
type Severities = Readonly<Record<Voucher['strength'], Severity>>;

/** The severity of a contradiction, by the resulting level and by whether a source of grade A or B accuses. */
const SEVERITY: Readonly<
  Record<'little' | 'some' | 'much', Readonly<Record<'serious' | 'weak', Severities>>>
> = {
  little: {
    serious: { strong: 'low', fair: 'low', faint: 'low' },
    weak: { strong: 'low', fair: 'low', faint: 'low' },
  },
  some: {
    serious: { strong: 'medium', fair: 'medium', faint: 'low' },
    weak: { strong: 'medium', fair: 'low', faint: 'low' },
  },
  much: {
    serious: { strong: 'high', fair: 'high', faint: 'low' },
    weak: { strong: 'high', fair: 'medium', faint: 'low' },
  },
};
const STAKE: Readonly<Record<RiskLevel, keyof typeof SEVERITY>> = {
  inconclusive: 'little',
  safe: 'little',
  low: 'little',
  medium: 'some',
  high: 'much',
  critical: 'much',
};

const TITLE: Readonly<Record<Voucher['type'], string>> = {
  named_service: 'Accused and a known service',
  known_good: 'Accused and known to be good',
  popular: 'Accused and among the most visited',
  service_range: 'Accused inside the range of a known service',
  research_scanner: 'Accused and a known research scanner',
  allowlist: 'Accused and on a list of good names',
};

export const DELISTED_ELSEWHERE = 'delisted_elsewhere';

/** Vouchers that contradict the accusation, strongest first, then sources that delisted what others list (trap 16). */
export function contradictionsOf(findings: Findings): readonly Contradiction[] {
  const { active, level, standing, vouchers } = findings;
  if (standing !== 'listed') return [];
  const severities = SEVERITY[STAKE[level]][hasSeriousGrade(findings) ? 'serious' : 'weak'];
  const found = new Map<string, Contradiction>();
  for (const { type, strength, isContested, isGood, sourceName } of vouchers) {
    if (!isContested || found.has(type)) continue;
    // A scanner detects the value and a list calls it good, so a person must decide (O50).
    const isOpposed = isGood && strength !== 'faint' && findings.scored.engines.detecting.length > 0;
    found.set(type, {
      type,
      severity: isOpposed ? 'high' : severities[strength],
      title: TITLE[type],
      description: `${countOf(active.length, 'source')} accuse${active.length === 1 ? 's' : ''}; ${sourceName} ${SAYS[type]}.`,
    });
  }
  return [...found.values(), ...delistedElsewhere(findings)];
}

const SAYS: Readonly<Record<Voucher['type'], string>> = {
  named_service: 'is the service that it belongs to',
  known_good: 'knows it as good',
  popular: 'counts it among the most visited',
  service_range: 'knows it as part of a shared service',
  research_scanner: 'knows it as a research scanner',
  allowlist: 'names it as good',
};

function delistedElsewhere({ scored, active }: Findings): readonly Contradiction[] {
  const left = scored.counted.filter(({ listing }) => listing.isDelisted === true);
  if (left.length === 0) return [];
  return [
    {
      type: DELISTED_ELSEWHERE,
      severity: 'low',
      title: 'Taken off one list, kept on another',
      description: `${countOf(left.length, 'source')} no longer list${left.length === 1 ? 's' : ''} it; ${countOf(active.length, 'source')} still do${active.length === 1 ? 'es' : ''}.`,
    },
  ];
}
