import { type CostInput, KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import {
  FamilyPage,
  FamilyParams,
  PageQuery,
  RangePage,
  RangeQuery,
  SourcePage,
  SourceParams,
} from './contract.ts';
import { describeFamily, type FamilyDeps } from './describe-family.ts';
import { describeRange, type RangeDeps } from './describe-range.ts';
import { describeSource, type SourceDeps } from './describe-source.ts';

export type ContextPagesDeps = RangeDeps & SourceDeps & FamilyDeps;

/** One check for a page of members, because each of them has a verdict (O82). */
const pageOf = (name: (input: CostInput) => string): Policy => ({
  ...KEYED,
  extension: true,
  meter: 'checks',
  costNote: '1; 0 for the same page within 24 hours',
  receipts: (input) => ({
    opens: `${name(input)} ${(input.query as { readonly cursor?: string }).cursor ?? ''}`,
  }),
  // A cursor of another question, and a source or family that is unknown.
  refundOn: [400, 404],
});
const TAGS = ['context'];
const OF_MEMBERS =
  'Members are judged as in /check, without live lookups. `counts.isPartial` says that there are more than were examined. `next` of a list, sent as `cursor`, gives the members that follow. Costs one check; the same page again within 24 hours costs nothing.';

export const contextPagesRoutes = (deps: ContextPagesDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/threat-intel/network',
    summary: 'What is listed in this range of addresses?',
    description: `Addresses inside it that threat sources list now, listed ranges around it and inside it, what lists call it and who announces it. ${OF_MEMBERS}`,
    tags: TAGS,
    policy: pageOf(({ query }) => `range ${(query as RangeQuery).range.value}`),
    query: RangeQuery,
    reply: RangePage,
    handle: ({ query }) => describeRange(deps, query),
  }),
  route({
    method: 'GET',
    path: '/threat-intel/source/:id',
    summary: 'What is this source, and what does it list?',
    description: `The facts that \`sources[]\` of a check shows. Entries are named only where the licence of the source allows to pass them on; others are counted. ${OF_MEMBERS}`,
    tags: TAGS,
    policy: pageOf(({ params }) => `source ${(params as { readonly id: string }).id}`),
    params: SourceParams,
    query: PageQuery,
    reply: SourcePage,
    handle: ({ params, query }) => describeSource(deps, params.id, query.cursor),
  }),
  route({
    method: 'GET',
    path: '/threat-intel/family/:name',
    summary: 'What is listed for this malware family or tool?',
    description: `Values that sources list under any spelling of the name. Entries of sources whose licence does not allow to pass them on are counted and not named. A word that is new in a list is found within five minutes. ${OF_MEMBERS}`,
    tags: TAGS,
    policy: pageOf(
      ({ params }) => `family ${(params as { readonly name: string }).name.trim().toLowerCase()}`,
    ),
    params: FamilyParams,
    query: PageQuery,
    reply: FamilyPage,
    handle: ({ params, query }) => describeFamily(deps, params.name, query.cursor),
  }),
];
