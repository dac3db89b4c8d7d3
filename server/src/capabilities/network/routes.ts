import { LOADED_HEADERS, marked } from '#platform/http/not-loaded.ts';
import { KEYED, type Policy } from '#platform/http/policy.ts';
import { type Route, route } from '#platform/http/route.ts';
import {
  AsnQuery,
  AsnReply,
  LocationQuery,
  LocationReply,
  NetworkQuery,
  NetworkReply,
  ReverseIpQuery,
  ReverseIpReply,
} from './contract.ts';
import { describeNetwork, isUnlocatable, locate } from './describe-network.ts';
import { lookUpAsn, type NetworkDeps } from './look-up-asn.ts';
import { reverseIp } from './reverse-ip.ts';

const POLICY: Policy = { ...KEYED, class: 'B' };
const TAGS = ['Networks'];

const pageOf = (query: AsnQuery): string =>
  `network ${'ip' in query ? query.ip.value : query.asn} ${query.cursor ?? ''}`;

export const networkRoutes = (deps: NetworkDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/check/location',
    summary: 'Where is this address, and who announces it?',
    description:
      'From files that are loaded here. An address is never looked up externally. A name is resolved first, within five seconds, and gets the location of its first address, or `null`. Null with a `message`: it could not be resolved, or no location file is loaded, which costs nothing.',
    tags: ['check'],
    // Calls below /check/ cost one check each; invalid input costs none (decisions 1.4).
    policy: {
      ...POLICY,
      meter: 'checks',
      class: 'A',
      costNote: '1; 0 where no location file is loaded or names are not resolved',
    },
    query: LocationQuery,
    reply: LocationReply,
    handle: async (call) => {
      const answer = await locate(deps, call.query.host, call.signal);
      if (isUnlocatable(answer)) call.giveBack();
      return answer;
    },
  }),
  route({
    method: 'GET',
    path: '/threat-intel/asn',
    summary: 'Whose network is this, and how much of it is listed?',
    description:
      '404 for an address that no network announces and for a number that is neither in the table of networks nor on a list. While no table is loaded, `loaded` is false and only lists of networks answer. With `members=true` also the listed addresses inside it, judged as in /check without live lookups: the newest and the worst 100, and a cursor for more; that costs one check, and the same page again within 24 hours nothing.',
    tags: TAGS,
    policy: {
      ...POLICY,
      meter: 'checks',
      costNote: '1 with members=true, 0 without; 0 for the same page within 24 hours',
      cost: ({ query }) => ((query as AsnQuery).hasMembers ? 1 : 0),
      receipts: ({ query }) => ({ opens: pageOf(query as AsnQuery) }),
      refundOn: [400, 404],
    },
    query: AsnQuery,
    reply: AsnReply,
    mayBeAbsent: true,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, lookUpAsn(deps, call.query)),
  }),
  route({
    method: 'GET',
    path: '/threat-intel/reverse-ip',
    summary: 'Which names lead to this address?',
    description:
      'As far as live lookups of this service have seen it in the last 400 days: our own passive DNS. No outside source is queried, and an address without observations gets an empty list. Where names are not resolved, `loaded` is false and the total null.',
    tags: TAGS,
    policy: POLICY,
    query: ReverseIpQuery,
    reply: ReverseIpReply,
    replyHeaders: LOADED_HEADERS,
    handle: (call) => marked(call, reverseIp(deps, call.query.ip)),
  }),
  route({
    method: 'GET',
    path: '/network/intel',
    summary: 'An address, the network it is in, and its neighbours.',
    tags: TAGS,
    policy: POLICY,
    query: NetworkQuery,
    reply: NetworkReply,
    handle: ({ query }) => describeNetwork(deps, query.ip),
  }),
];
