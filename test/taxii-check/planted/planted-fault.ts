import type { ClauseId } from '../clauses.ts';
import { ofType, type SmallObject } from './small-objects.ts';
import type { Asked, Fault, Reply } from './small-server.ts';

/** A server with one deliberate fault, and the clause that a check must report for it. */
export type PlantedFault = {
  readonly name: string;
  readonly clause: ClauseId;
  readonly fault: Fault;
  /** The client whose replay must find the fault; absent when the check itself finds it. */
  readonly as?: string;
  /** True when only a second walk shows the fault. */
  readonly twice?: boolean;
};

type Shown = Pick<PlantedFault, 'as' | 'twice'>;

export const planted = (name: string, clause: ClauseId, fault: Fault, shown: Shown = {}): PlantedFault => ({
  name,
  clause,
  fault,
  ...shown,
});
export const replying = (
  test: (asked: Asked) => boolean,
  change: (reply: Reply, asked: Asked) => void,
): Fault => ({
  reply: (reply, asked) => {
    if (test(asked) && reply.status === 200) change(reply, asked);
  },
});
export const onObject = (type: string, change: (object: SmallObject) => void): Fault => ({
  records: (records) => {
    change(ofType(records, type));
    return records;
  },
});
export const isPage = ({ path }: Asked): boolean => /\/(?:objects|manifest)$/.test(path);
export const isObjects = ({ path }: Asked): boolean => path.endsWith('/objects');
export const isManifest = ({ path }: Asked): boolean => path.endsWith('/manifest');
export const isCollection = ({ path }: Asked): boolean => /^root\/collections\/[^/]+$/.test(path);
export const listOf = (reply: Reply): SmallObject[] => reply.body.objects as SmallObject[];
export const onStatus =
  (status: number, change: (reply: Reply) => void): NonNullable<Fault['reply']> =>
  (reply) => {
    if (reply.status === status) change(reply);
  };
export const drop = (reply: Reply, name: string): void => {
  delete reply.headers[name];
};
export const hasFilter = (query: URLSearchParams, name: string): boolean => query.has(`match[${name}]`);
