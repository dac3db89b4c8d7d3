export { claimText } from './claim-text.ts';
export {
  type ClaimWindows,
  type Doubt,
  doubtOf,
  isComparable,
  isOld,
  isSparse,
  type Known,
} from './data-age.ts';
export { type Generation, generationOf, isSiteOfGroup } from './families.ts';
export { CLAIM_SPAN_MS, gatherClaims } from './gather-claims.ts';
export { type GroupName, groupKeyOf, readGroupName } from './group-name.ts';
export { inferCountry } from './infer/infer-country.ts';
export { inferSector } from './infer/infer-sector.ts';
export { RULES_MARK } from './infer/rules-mark.ts';
export type { Inferred } from './infer/victim-words.ts';
export { PRESS_AFTER_MS, PRESS_BEFORE_MS } from './press-near.ts';
export type { GroupLocation, GroupProfile, GroupTechnique } from './readers/group-profile.ts';
export { uniqueBy } from './readers/group-profile.ts';
export type { Post, ReadRows } from './readers/post.ts';
export { readGalaxy } from './readers/read-galaxy.ts';
export { readGangTable } from './readers/read-gang-table.ts';
export { readGroupList } from './readers/read-group-list.ts';
export { readPostList } from './readers/read-post-list.ts';
export { readPostTable } from './readers/read-post-table.ts';
export { type PressEntry, readPress } from './readers/read-press.ts';
export { otherNames } from './same-group.ts';
export {
  RISK_LEVELS,
  type RiskLevel,
  type SectorRisk,
  sectorRiskOf,
  TRENDS,
} from './sector-risk.ts';
export { findSector, SECTORS, type Sector } from './sectors.ts';
export { nameKeyOf, registrableOf } from './victim.ts';
