import type { ListKind } from '../list-names.ts';
import { ADDRESS_LINE_FORMATS } from './address-lines.ts';
import type { Format } from './format.ts';
import { PACKET_FILTER_FORMATS } from './packet-filters.ts';
import { PLAIN_FORMATS } from './plain.ts';
import { RESOLVER_FORMATS } from './resolvers.ts';
import { ROUTER_FORMATS } from './routers.ts';
import { SENSOR_FORMATS } from './sensors.ts';

/** Every format; a name such as `squid` may have one for addresses and one for names. */
const FORMATS: readonly Format[] = [
  ...PLAIN_FORMATS,
  ...PACKET_FILTER_FORMATS,
  ...ROUTER_FORMATS,
  ...ADDRESS_LINE_FORMATS,
  ...RESOLVER_FORMATS,
  ...SENSOR_FORMATS,
];

export const formatNames = (kind?: ListKind): readonly string[] => [
  ...new Set(
    FORMATS.filter(({ kinds }) => kind === undefined || kinds.includes(kind)).map(({ name }) => name),
  ),
];

export const findFormat = (name: string, kind: ListKind): Format | undefined =>
  FORMATS.find((format) => format.name === name && format.kinds.includes(kind));
