import { NETWORKS } from './networks.ts';

export const makeAsnTable = (): string =>
  `${NETWORKS.flatMap(({ asn, name, prefix4, prefix6 }) => [
    `${prefix4}.0.0,${prefix4}.255.255,${asn},${name}`,
    `${prefix6}::,${prefix6}:ffff:ffff:ffff:ffff:ffff:ffff,${asn},${name}`,
  ]).join('\n')}\n`;
