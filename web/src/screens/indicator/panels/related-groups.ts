import { type RelatedEntity, type RelatedInfrastructure, verdictOfLevel } from '@assay/sdk';
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

export const relatedWord = ({
  verdict,
  word,
}: Pick<RelatedEntity, 'verdict' | 'word'>): { word: string; tone: Tone } => verdictOfLevel(verdict, word);
