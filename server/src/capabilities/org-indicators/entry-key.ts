/** A zero byte ends the organization's id, so that no key of one organization is the beginning of another's. */
const END = Buffer.of(0);

/** The key of an entry in the replica: the organization, then the key of the indicator. */
export const entryKeyOf = (organizationId: string, key: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(organizationId, 'latin1'), END, key]);
