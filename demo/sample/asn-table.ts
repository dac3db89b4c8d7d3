import { NETWORKS } from './networks.ts';

/** Whose network an address is in: lines of first address, last address, number, name. */
export const makeAsnTable = (): string =>
  `${NETWORKS.flatMap(({ asn, name, prefix4, prefix6 }) => [
    `${prefix4}.0.0,${prefix4}.255.255,${asn},${name}`,
    `${prefix6}::,${prefix6}:ffff:ffff:ffff:ffff:ffff:ffff,${asn},${name}`,
  ]).join('\n')}\n`;
