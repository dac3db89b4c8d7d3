import { LOADED_HEADERS, marked } from '#platform/http/not-loaded.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import { answerFeed, answerPress, answerStats } from './answers/answer-claims.ts';
import { answerGroupProfile, type TacticsOf } from './answers/answer-group-profile.ts';
import { answerSectorHistory } from './answers/answer-sector-history.ts';
import { answerSectorRisk, answerSectorVictims } from './answers/answer-sectors.ts';
import { answerGroups } from './answers/list-groups.ts';
import { type LookupDeps, lookUpEntity } from './answers/look-up-entity.ts';
import { RansomwareQuery, RansomwareReply } from './check-contract.ts';
import {
  Feed,
  FeedQuery,
  Press,
  PressQuery,
  SectorHistory,
  SectorHistoryQuery,
  SectorRiskQuery,
  SectorRiskReply,
  SectorVictims,
  SectorVictimsQuery,
  Stats,
} from './contract.ts';
import { GroupProfileQuery, GroupProfileReply, Groups, GroupsQuery } from './group-contract.ts';

export type RansomwareDeps = LookupDeps & { readonly tacticsOf: TacticsOf };

const TAGS = ['ransomware'];
/** Metered by the burst alone (decisions 1.4); only `/check/ransomware` costs a check. */
const POLICY: Policy = KEYED;
const CLAIMS = 'Claims are what groups say; see `disclaimer`.';

export const ransomwareRoutes = (deps: RansomwareDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/check/ransomware',
    summary: 'Is this named in a ransomware claim?',
    description:
      'A domain is looked up by its registrable domain, a name of a group by its claims, other text as part of the name of a victim; an address or a digest in the lists of ransomware indicators. Without a query, or with `type=stats`, statistics. `found: false` is not a finding.',
    tags: ['check'],
    policy: { ...KEYED, meter: 'checks', costNote: '1; 0 while its data is not loaded' },
    query: RansomwareQuery,
    reply: RansomwareReply,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, lookUpEntity(deps, call.query)),
  }),
  route({
    method: 'GET',
    path: '/ransomware/feed',
    summary: 'The newest claims of ransomware groups.',
    description: `One claim is a group and a victim within 365 days, with all trackers that reported it. ${CLAIMS}`,
    tags: TAGS,
    policy: POLICY,
    query: FeedQuery,
    reply: Feed,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, answerFeed(deps, call.query)),
  }),
  route({
    method: 'GET',
    path: '/ransomware/stats',
    summary: 'How many claims, of which groups, where and in which sectors.',
    description: CLAIMS,
    tags: TAGS,
    policy: POLICY,
    reply: Stats,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, answerStats(deps)),
  }),
  route({
    method: 'GET',
    path: '/ransomware/press',
    summary: 'Articles about attacks, with the groups that claimed their victims.',
    description:
      'An article has a group only through a claim on the same victim near its date: by domain where both have one, else by name.',
    tags: TAGS,
    policy: POLICY,
    query: PressQuery,
    reply: Press,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, answerPress(deps, call.query)),
  }),
  ...sectorRoutes(deps),
  ...groupRoutes(deps),
];

const sectorRoutes = (deps: RansomwareDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/ransomware/sector-risk',
    summary: 'Which sectors groups claim most, and whether it rises.',
    description: `The score is of 30 days against the 30 before, and of claims with a sector alone: \`coverage\` says how many those are. ${CLAIMS}`,
    tags: TAGS,
    policy: POLICY,
    query: SectorRiskQuery,
    reply: SectorRiskReply,
    replyHeaders: LOADED_HEADERS,
    mayBeAbsent: true,
    handle: (call) => marked(call, answerSectorRisk(deps, call.query)),
  }),
  route({
    method: 'GET',
    path: '/ransomware/sector-risk/history',
    summary: 'The score of sectors day by day.',
    description: CLAIMS,
    tags: TAGS,
    policy: POLICY,
    query: SectorHistoryQuery,
    reply: SectorHistory,
    replyHeaders: LOADED_HEADERS,
    mayBeAbsent: true,
    handle: (call) => marked(call, answerSectorHistory(deps, call.query)),
  }),
  route({
    method: 'GET',
    path: '/ransomware/sector-victims',
    summary: 'The newest claims on a sector.',
    description: CLAIMS,
    tags: TAGS,
    policy: POLICY,
    query: SectorVictimsQuery,
    reply: SectorVictims,
    replyHeaders: LOADED_HEADERS,
    mayBeAbsent: true,
    handle: (call) => marked(call, answerSectorVictims(deps, call.query.sector)),
  }),
];

const groupRoutes = (deps: RansomwareDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/ransomware/groups',
    summary: 'Ransomware groups, by victims or by activity.',
    description: `Groups with claims, and groups that a source lists with their sites. ${CLAIMS}`,
    tags: TAGS,
    policy: POLICY,
    query: GroupsQuery,
    reply: Groups,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, answerGroups(deps, call.query)),
  }),
  route({
    method: 'GET',
    path: '/ransomware/group-profile',
    summary: 'What sources say of one group.',
    description: `Addresses of its sites are defanged. ${CLAIMS}`,
    tags: TAGS,
    policy: POLICY,
    query: GroupProfileQuery,
    reply: GroupProfileReply,
    replyHeaders: LOADED_HEADERS,
    mayBeAbsent: true,
    handle: (call) => marked(call, answerGroupProfile(deps, call.query.group)),
  }),
];
