import type { RelatedEntity, RelatedInfrastructure } from '@assay/sdk';
import type { Tone } from '../../../ui/verdict-mark.tsx';

export type RelatedGroup = { readonly title: string; readonly entities: readonly RelatedEntity[] };

const GROUPS = [
  ['resolvedDomains', 'Names that resolve to it'],
  ['sameSubnet', 'Same subnet'],
  ['sameASN', 'Same announced range'],
  ['sharedCertificate', 'Same certificate'],
  ['sameNameserver', 'Same name server'],
  ['sameRegistrar', 'Same registrar'],
] as const;

export const relatedGroups = (related: RelatedInfrastructure): readonly RelatedGroup[] =>
  GROUPS.map(([field, title]) => ({ title, entities: related[field] })).filter(
    ({ entities }) => entities.length > 0,
  );

const WORDS: Readonly<Record<string, { readonly word: string; readonly tone: Tone }>> = {
  critical: { word: 'High risk', tone: 'suspicious' },
  high: { word: 'High risk', tone: 'suspicious' },
  medium: { word: 'Suspicious', tone: 'suspicious' },
  low: { word: 'Low risk', tone: 'suspicious' },
  unknown: { word: 'Unknown', tone: 'unknown' },
  safe: { word: 'No threats found', tone: 'neutral' },
};

/** `safe` without its evidence is only "No threats found": unlisted does not mean good. */
export const relatedWord = ({ verdict }: Pick<RelatedEntity, 'verdict'>): { word: string; tone: Tone } =>
  WORDS[verdict] ?? { word: verdict, tone: 'neutral' };
