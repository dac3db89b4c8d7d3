import type { Tone } from '../ui/verdict-mark.tsx';

export type AgreementSource = {
  readonly name: string;
  readonly threatClass: string;
  readonly reliability: number;
  readonly tone: Tone;
};

export type AgreementLane = {
  readonly id: 'threat' | 'infrastructure' | 'allowlist';
  readonly label: string;
  readonly dots: readonly AgreementDot[];
};
export type AgreementDot = {
  readonly name: string;
  readonly reliability: number;
  readonly tone: Tone;
  readonly nth: number;
};

const LANES = [
  { id: 'threat', label: 'Accuses', classes: ['threat'] },
  { id: 'infrastructure', label: 'Describes', classes: ['infrastructure', 'policy'] },
  { id: 'allowlist', label: 'Vouches', classes: ['allowlist'] },
] as const;
/** Dots closer than this on the 0 to 1 scale would overlap. */
const NEAR = 0.025;

/**
 * One lane per threat class, one dot per source, placed by reliability, so that three noisy lists look different from
 * one good one.
 */
export function toLanes(sources: readonly AgreementSource[]): readonly AgreementLane[] {
  return LANES.map(({ id, label, classes }) => ({
    id,
    label,
    dots: dotsOf(sources.filter(({ threatClass }) => (classes as readonly string[]).includes(threatClass))),
  }));
}

function dotsOf(sources: readonly AgreementSource[]): readonly AgreementDot[] {
  const dots: AgreementDot[] = [];
  for (const { name, reliability, tone } of sources.toSorted((a, b) => a.reliability - b.reliability)) {
    const last = dots.at(-1);
    const isNear = last !== undefined && reliability - last.reliability < NEAR;
    dots.push({
      name,
      tone,
      reliability: isNear ? last.reliability : reliability,
      nth: isNear ? last.nth + 1 : 0,
    });
  }
  return dots;
}

/**
 * "Sources by reliability: 5 accuse, the most reliable 0.75; 7 describe, the most reliable 0.60; 0 vouch; 36 are
 * silent".
 */
export function agreementSentence(lanes: readonly AgreementLane[], silent: number | null): string {
  const verbs = { threat: 'accuse', infrastructure: 'describe', allowlist: 'vouch' } as const;
  const parts = lanes.map(({ id, dots }) => {
    const best = dots.at(-1)?.reliability;
    return `${dots.length} ${verbs[id]}${best === undefined ? '' : `, the most reliable ${best.toFixed(2)}`}`;
  });
  return `Sources by reliability: ${[...parts, ...(silent === null ? [] : [`${silent} are silent`])].join('; ')}`;
}
