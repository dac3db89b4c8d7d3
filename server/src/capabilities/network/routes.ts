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
import { describeNetwork, locate } from './describe-network.ts';
import { lookUpAsn, type NetworkDeps } from './look-up-asn.ts';
import { reverseIp } from './reverse-ip.ts';

const POLICY: Policy = { ...KEYED, class: 'B' };
const TAGS = ['Networks'];

export const networkRoutes = (deps: NetworkDeps): readonly Route[] => [
  route({
    method: 'GET',
    path: '/check/location',
    summary: 'Where is this address, and who announces it?',
    description:
      'From files that are loaded here. Nothing is asked of anybody about an address; a name is resolved first, within five seconds, and answers with the place of the first address it leads to, or with `null`. Null with a `message`: it could not be resolved.',
    tags: ['check'],
    // Decisions 1.4: /check/* costs a check, and bad input none.
    policy: { ...POLICY, meter: 'checks', class: 'A' },
    query: LocationQuery,
    reply: LocationReply,
    handle: ({ query, signal }) => locate(deps, query.host, signal),
  }),
  route({
    method: 'GET',
    path: '/threat-intel/asn',
    summary: 'Whose network is this, and how much of it is listed?',
    description:
      '404 for an address that nobody announces and for a number that is neither in the table of networks nor on a list. 503 while no table is loaded.',
    tags: TAGS,
    policy: POLICY,
    query: AsnQuery,
    reply: AsnReply,
    mayBeAbsent: true,
    handle: ({ query }) => lookUpAsn(deps, query),
  }),
  route({
    method: 'GET',
    path: '/threat-intel/reverse-ip',
    summary: 'Which names lead to this address?',
    description:
      'As far as live lookups of this service have seen it in the last 400 days: our own passive DNS. Nobody is asked, and an address that was never met answers an empty list.',
    tags: TAGS,
    policy: POLICY,
    query: ReverseIpQuery,
    reply: ReverseIpReply,
    handle: ({ query }) => reverseIp(deps, query.ip),
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
