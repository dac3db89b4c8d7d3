import { accuses, type Source } from './contract.ts';

/** The tag of sources that list the ranges of a cloud in which anyone can rent a server. */
export const RENTABLE_TAG = 'rentable';

const RENTABLE = 1;
const DELIVERY = 2;

/** By source number, whether a source lists rentable clouds, guards delivery networks, or does neither. */
export type RangeRoles = Uint8Array;

/**
 * Some delivery networks also rent out servers: Linode lies inside the ranges of Akamai. There the guard of the delivery
 * network would speak for strangers, so a range of a rentable cloud takes its part out of every wider range of a delivery
 * network (scoring 5). Of two ranges of equal length the guard stands.
 */
export function rangeRolesOf(sources: readonly Source[], length: number): RangeRoles {
  const roles = new Uint8Array(length);
  for (const source of sources) {
    if (accuses(source)) continue;
    if (source.enabled && source.tags.includes(RENTABLE_TAG)) roles[source.number] = RENTABLE;
    else if (source.guard === 'service' && source.attributes.includes('cdn')) roles[source.number] = DELIVERY;
  }
  return roles;
}

export const isRentable = (roles: RangeRoles, sourceNumber: number): boolean =>
  roles[sourceNumber] === RENTABLE;
export const isDeliveryGuard = (roles: RangeRoles, sourceNumber: number): boolean =>
  roles[sourceNumber] === DELIVERY;
