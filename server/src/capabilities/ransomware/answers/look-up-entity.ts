import { hostOf, type Indicator, parseIndicator } from '#domain/indicator/index.ts';
import { claimText, nameKeyOf, registrableOf } from '#domain/ransomware/index.ts';
import type { RansomwareEntity, RansomwareQuery, RansomwareReply } from '../check-contract.ts';
import { LOAD_CLAIMS } from '../contract.ts';
import type { AnswerDeps } from './answer-claims.ts';
import { type Claim, type ClaimFilter, listClaims } from './claim-store.ts';
import { countTotals } from './count-store.ts';
import { findGroup } from './find-group.ts';
import { countGroup, listSaidOfGroup } from './group-store.ts';
import { readLoaded } from './loaded-store.ts';
import { periodsAt } from './periods.ts';
import { isoOf } from './present-victims.ts';

export type LookupDeps = AnswerDeps & {
  /** Names of the lists of ransomware indicators that list the indicator. */
  readonly ransomwareListsOf: (indicator: Indicator) => readonly string[];
  /** Whether a list of ransomware indicators is loaded that could list the indicator. */
  readonly hasRansomwareLists: (indicator: Indicator) => boolean;
};

const MATCHES_MAX = 100;
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
  const { claims: hasClaims } = await readLoaded(deps.postgres.db);
  const claims = asked.filter === null ? [] : await claimsOf(deps, asked.filter);
  const lists = asked.indicator === null ? [] : deps.ransomwareListsOf(asked.indicator).slice(0, 10);
  const groups = [...new Set(claims.map(({ group }) => group))];
  const matches: RansomwareEntity['matches'] = [
    ...lists.map((name) => ({ ...NOTHING_MORE, kind: 'ioc' as const, name: name.slice(0, NAME_MAX) })),
    ...(asked.group === null
      ? []
      : [{ ...NOTHING_MORE, kind: 'group' as const, name: asked.group, group: asked.group }]),
    ...claims.map(victimMatch),
  ].slice(0, MATCHES_MAX);
  const answer = {
    query: asked.query,
    queryType: asked.queryType,
    matches,
    groups: asked.group === null ? groups : [...new Set([asked.group, ...groups])],
  };
  if (matches.length > 0 || isCovered(deps, asked, hasClaims))
    return {
      ...answer,
      found: matches.length > 0,
      loaded: true,
      message: messageOf({ asked, hasClaims }, claims.length, lists.length),
    };
  const message = asked.filter === null ? LOAD_LISTS : LOAD_CLAIMS;
  return { ...answer, found: null, loaded: false, message };
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

const NOTHING_MORE = { group: null, country: null, sector: null, discoveredAt: null };

const victimMatch = (claim: Claim): RansomwareEntity['matches'][number] => ({
  kind: 'victim',
  name: claim.victim,
  group: claim.group,
  country: claim.country,
  sector: claim.sector,
  discoveredAt: isoOf(claim.discoveredAtMs),
});

const claimsOf = ({ clock, postgres }: LookupDeps, filter: ClaimFilter): Promise<readonly Claim[]> =>
  listClaims(postgres.db, filter, { nowMs: clock.now(), limit: MATCHES_MAX });

type Asked = Pick<RansomwareEntity, 'query' | 'queryType'> & {
  readonly indicator: Indicator | null;
  readonly group: string | null;
  /** Which claims match the query; null: the query cannot match any. */
  readonly filter: ClaimFilter | null;
};

async function readAsked({ postgres: { db }, clock }: LookupDeps, text: string): Promise<Asked> {
  const parsed = parseIndicator(text);
  if (parsed.ok && parsed.indicator.kind === 'hash')
    return {
      query: parsed.indicator.value,
      queryType: 'hash',
      indicator: parsed.indicator,
      group: null,
      filter: null,
    };
  const host = parsed.ok && parsed.indicator.kind !== 'email' ? hostOf(parsed.indicator) : null;
  if (host?.kind === 'ip')
    return { query: host.value, queryType: 'ip', indicator: host, group: null, filter: null };
  if (host?.kind === 'domain') {
    const domain = registrableOf(host.value, false) ?? host.value;
    return { query: host.value, queryType: 'domain', indicator: host, group: null, filter: { domain } };
  }
  const shown = claimText(text, NAME_MAX) ?? '';
  const found = await findGroup(db, text);
  if (found !== null) {
    const claims = await countGroup(db, found.key, periodsAt(clock.now()));
    const group = claims?.name ?? (await listSaidOfGroup(db, [found.key]))[0]?.name ?? found.key;
    return { query: shown, queryType: 'group', indicator: null, group, filter: { groupKey: found.key } };
  }
  const namePart = nameKeyOf(shown);
  const isTooShort = namePart === null || namePart.length < KEYWORD_MIN;
  return {
    query: shown,
    queryType: 'keyword',
    indicator: null,
    group: null,
    filter: isTooShort ? null : { namePart },
  };
}

function messageOf(
  { asked, hasClaims }: { readonly asked: Asked; readonly hasClaims: boolean },
  claims: number,
  lists: number,
): string {
  if (asked.queryType === 'keyword' && asked.filter === null)
    return `Send at least ${KEYWORD_MIN} letters or digits: nothing was looked up.`;
  if (claims > 0) {
    const many =
      claims === MATCHES_MAX
        ? `The newest ${MATCHES_MAX} claims are shown.`
        : `${claims} ${claims === 1 ? 'claim matches' : 'claims match'}.`;
    return `${many} ${ONLY_CLAIMS}`;
  }
  if (lists > 0) return 'Named by a list of ransomware indicators. Ask /check for the verdict.';
  if (asked.group !== null)
    return hasClaims ? 'A known group without a claim in the loaded data.' : `A known group. ${LOAD_CLAIMS}`;
  return asked.filter === null
    ? 'No loaded list of ransomware indicators lists it.'
    : 'No loaded claim matches, which does not show that there was no attack.';
}

const NO_STATS = { totalVictims: null, activeGroups: null, attacksThisMonth: null, attacksThisYear: null };

async function statistics(
  { clock, postgres: { db } }: LookupDeps,
  text: string | null,
): Promise<RansomwareReply> {
  const query = text === null ? null : (claimText(text, NAME_MAX) ?? '');
  if (!(await readLoaded(db)).claims)
    return { query, queryType: 'stats', stats: NO_STATS, loaded: false, message: LOAD_CLAIMS };
  const { totalVictims, activeGroups, attacksThisMonth, attacksThisYear } = await countTotals(
    db,
    periodsAt(clock.now()),
  );
  return {
    query,
    queryType: 'stats',
    stats: { totalVictims, activeGroups, attacksThisMonth, attacksThisYear },
    loaded: true,
    message: ONLY_CLAIMS,
  };
}
