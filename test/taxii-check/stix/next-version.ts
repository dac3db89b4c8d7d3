import type { ObjectFinding } from './stix-object.ts';

/** The parts of an object that are compared when it is read a second time. */
export type SeenVersion = {
  readonly version: string;
  /** Null for an observable, which has no creation date. */
  readonly created: string | null;
  readonly revoked: boolean;
  readonly digest: string;
};

/** What is wrong with an object compared with its earlier state (STIX 2.1 section 3.6); null when nothing is. */
export function wrongNextVersion(then: SeenVersion, now: SeenVersion): ObjectFinding | null {
  if (then.revoked && !now.revoked) return { clause: 'stix-revoked', example: 'was revoked before' };
  if (then.version === now.version)
    return then.digest === now.digest
      ? null
      : { clause: 'stix-version-twice', example: `has two texts for ${now.version}` };
  if (then.created === null || now.created === null) return null;
  if (then.created !== now.created)
    return { clause: 'stix-created-kept', example: `was created ${then.created}, then ${now.created}` };
  return then.version < now.version
    ? null
    : { clause: 'stix-created-kept', example: `was modified ${then.version}, then ${now.version}` };
}
