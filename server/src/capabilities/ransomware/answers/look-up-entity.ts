import { hostOf, type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { claimText, nameKeyOf, registrableOf } from '#domain/ransomware/index.ts';
import type { Db } from '#platform/postgres.ts';
import type { RansomwareEntity, RansomwareQuery, RansomwareReply } from '../check-contract.ts';
import { LOAD_CLAIMS } from '../contract.ts';
import { type AnswerDeps, figuresOf } from './answer-claims.ts';
import { oldWords } from './claim-basis.ts';
import { type Claim, type ClaimFilter, countClaims, listClaimingGroups, listClaims } from './claim-store.ts';
import { countTotals } from './count-store.ts';
import { type FoundGroup, findGroup, readFamilies } from './find-group.ts';
import { countGroup, listSaidOfGroup } from './group-store.ts';
import { newestClaimMs, readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf, originOf } from './present-victims.ts';

export type LookupDeps = AnswerDeps & {
  /** Names of the lists of ransomware indicators that list the indicator. */
  readonly ransomwareListsOf: (indicator: Indicator) => readonly string[];
  /** Whether a list of ransomware indicators is loaded that could list the indicator. */
  readonly hasRansomwareLists: (indicator: Indicator) => boolean;
};

const MATCHES_MAX = 100;
const GROUPS_MAX = 100;
const KEYWORD_MIN = 3;
const NAME_MAX = 300;
const ONLY_CLAIMS =
  'A claim is what a group says on its own site; it does not show that an attack took place.';

export async function lookUpEntity(
  deps: LookupDeps,
  { text, isStats }: RansomwareQuery,
): Promise<RansomwareReply> {
  if (isStats || text === null) return statistics(deps, text);
  const asked = await readAsked(deps, text);
  const { db } = deps.postgres;
  const nowMs = deps.clock.now();
  const { claims: hasClaims } = await readLoaded(db);
  const found = await findClaims(deps, asked.filter);
  const lists = asked.indicator === null ? [] : deps.ransomwareListsOf(asked.indicator).slice(0, 10);
  const others: RansomwareEntity['matches'] = [
    ...lists.map((name) => ({ ...NOTHING_MORE, kind: 'ioc' as const, name: name.slice(0, NAME_MAX) })),
    ...(asked.group === null
      ? []
      : [{ ...NOTHING_MORE, kind: 'group' as const, name: asked.group, group: asked.group }]),
  ];
  const shown = found.claims.slice(0, MATCHES_MAX - others.length).map(victimMatch);
  const matches = [...others, ...shown];
  const newestMs = asked.filter === null ? null : await newestClaimMs(db, nowMs);
  const answer = {
    query: asked.query,
    queryType: asked.queryType,
    family: asked.family,
    matches,
    // Without loaded claims, and for an address or a file, no claim was counted (decisions O77).
    total: hasClaims && asked.filter !== null ? found.total : null,
    groups: [...new Set([...(asked.group === null ? [] : [asked.group]), ...found.groups])].slice(
      0,
      GROUPS_MAX,
    ),
    dataAsOf: newestMs === null ? null : isoOf(newestMs),
  };
  if (matches.length > 0 || isCovered(deps, asked, hasClaims))
    return {
      ...answer,
      found: matches.length > 0,
      loaded: true,
      message: [
        messageOf({ asked, hasClaims }, { total: found.total, shown: shown.length }, lists.length),
        oldWords(newestMs, nowMs) ?? [],
      ]
        .flat()
        .join(' '),
    };
  const message = asked.filter === null ? LOAD_LISTS : LOAD_CLAIMS;
  return { ...answer, total: null, found: null, loaded: false, message };
}

const LOAD_LISTS =
  'No list of ransomware indicators is loaded on this service, so nothing was looked up. The worker loads them when FEEDS_ENABLED is true; from files: npm run admin -- feeds import ID FILE --category ransomware';

/** Whether data is loaded that could contain the query: claims name victims and groups, lists name addresses and files. */
function isCovered(
  { hasRansomwareLists }: LookupDeps,
  { queryType, indicator, filter }: Asked,
  hasClaims: boolean,
): boolean {
  if (queryType === 'ip' || queryType === 'hash') return indicator !== null && hasRansomwareLists(indicator);
  // Too short to be looked up, which the message says whatever is loaded.
  return hasClaims || (queryType === 'keyword' && filter === null);
}

const NOTHING_MORE = {
  group: null,
  country: null,
  countryBasis: null,
  sector: null,
  sectorBasis: null,
  discoveredAt: null,
};

const victimMatch = (claim: Claim): RansomwareEntity['matches'][number] => ({
  kind: 'victim',
  name: claim.victim,
  group: claim.group,
  ...originOf(claim),
  discoveredAt: isoOf(claim.discoveredAtMs),
});

/** The newest claims that match, the number of all of them, and all their groups. */
type Found = {
  readonly claims: readonly Claim[];
  readonly total: number;
  readonly groups: readonly string[];
};

async function findClaims(
  { clock, postgres: { db } }: LookupDeps,
  filter: ClaimFilter | null,
): Promise<Found> {
  if (filter === null) return { claims: [], total: 0, groups: [] };
  const nowMs = clock.now();
  return {
    claims: await listClaims(db, filter, { nowMs, limit: MATCHES_MAX }),
    total: await countClaims(db, filter, nowMs),
    groups: await listClaimingGroups(db, filter, { nowMs, limit: GROUPS_MAX }),
  };
}

type Asked = Pick<RansomwareEntity, 'query' | 'queryType'> & {
  readonly indicator: Indicator | null;
  readonly group: string | null;
  readonly family: string | null;
  /** Which claims match the query; null: the query cannot match any. */
  readonly filter: ClaimFilter | null;
};

const NO_GROUP = { group: null, family: null } as const;

async function nameOf(db: Db, { key, claimKeys }: FoundGroup, nowMs: number): Promise<string> {
  const claims = await countGroup(db, claimKeys, periodsAt(nowMs));
  return claims?.name ?? (await listSaidOfGroup(db, [key]))[0]?.name ?? key;
}

async function readAsked({ postgres: { db }, clock }: LookupDeps, text: string): Promise<Asked> {
  const parsed = parseIndicator(text);
  if (parsed.ok && parsed.indicator.kind === 'hash')
    return {
      query: parsed.indicator.value,
      queryType: 'hash',
      indicator: parsed.indicator,
      ...NO_GROUP,
      filter: null,
    };
  const host = parsed.ok && parsed.indicator.kind !== 'email' ? hostOf(parsed.indicator) : null;
  if (host?.kind === 'ip')
    return { query: host.value, queryType: 'ip', indicator: host, ...NO_GROUP, filter: null };
  if (host?.kind === 'domain') {
    const domain = registrableOf(host.value, false) ?? host.value;
    return { query: host.value, queryType: 'domain', indicator: host, ...NO_GROUP, filter: { domain } };
  }
  const shown = claimText(text, NAME_MAX) ?? '';
  const found = await findGroup(db, text);
  if (found !== null) {
    const { key, claimKeys, family } = found;
    const group = family === null ? await nameOf(db, found, clock.now()) : key;
    return {
      query: shown,
      queryType: 'group',
      indicator: null,
      group,
      family,
      filter: { groupKeys: claimKeys },
    };
  }
  const namePart = nameKeyOf(shown);
  const isTooShort = namePart === null || namePart.length < KEYWORD_MIN;
  return {
    query: shown,
    queryType: 'keyword',
    indicator: null,
    ...NO_GROUP,
    filter: isTooShort ? null : { namePart },
  };
}

function messageOf(
  { asked, hasClaims }: { readonly asked: Asked; readonly hasClaims: boolean },
  { total, shown }: { readonly total: number; readonly shown: number },
  lists: number,
): string {
  if (asked.queryType === 'keyword' && asked.filter === null)
    return `Send at least ${KEYWORD_MIN} letters or digits: nothing was looked up.`;
  if (total > 0) {
    const many = `${total} ${total === 1 ? 'claim matches' : 'claims match'}`;
    return `${many}${shown < total ? `; the newest ${shown} are shown` : ''}. ${ONLY_CLAIMS}`;
  }
  if (lists > 0) return 'Named by a list of ransomware indicators. Ask /check for the verdict.';
  if (asked.group !== null)
    return hasClaims ? 'A known group without a claim in the loaded data.' : `A known group. ${LOAD_CLAIMS}`;
  return asked.filter === null
    ? 'No loaded list of ransomware indicators lists it.'
    : 'No loaded claim matches, which does not show that there was no attack.';
}

async function statistics(
  { clock, postgres: { db } }: LookupDeps,
  text: string | null,
): Promise<RansomwareReply> {
  const query = text === null ? null : (claimText(text, NAME_MAX) ?? '');
  const asked = { query, queryType: 'stats' } as const;
  if (!(await readLoaded(db)).claims)
    return {
      ...asked,
      stats: NO_STATS,
      loaded: false,
      dataAsOf: null,
      inconclusive: true,
      message: LOAD_CLAIMS,
    };
  const nowMs = clock.now();
  const totals = await countTotals(db, periodsAt(nowMs), await readFamilies(db));
  const { totalVictims, activeGroups, attacksThisMonth, attacksThisYear } = figuresOf(totals, nowMs);
  const old = oldWords(totals.newestMs, nowMs);
  return {
    ...asked,
    stats: { totalVictims, activeGroups, attacksThisMonth, attacksThisYear },
    loaded: true,
    dataAsOf: totals.newestMs === null ? null : isoOf(totals.newestMs),
    inconclusive: old !== null,
    message: old === null ? ONLY_CLAIMS : `${old} ${ONLY_CLAIMS}`,
  };
}

const NO_STATS = { totalVictims: null, activeGroups: null, attacksThisMonth: null, attacksThisYear: null };
