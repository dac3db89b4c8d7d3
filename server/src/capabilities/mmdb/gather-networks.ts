import { setImmediate as nextTurn } from 'node:timers/promises';
import { KIND } from '#capabilities/corpus/index.ts';
import {
  type Audience,
  classesOfList,
  classFactsOf,
  createCaseReader,
  createClassifier,
  membersAfter,
  type StandingDeps,
} from '#capabilities/standing/index.ts';
import {
  bytesOfAddress,
  type MmdbValue,
  type Network,
  outermost,
  RecordSet,
  SearchTree,
} from '#domain/mmdb/index.ts';
import type { ListName } from '#domain/shared-lists/index.ts';
import type { Db } from '#platform/postgres.ts';
import { type AddressRecord, createRecordJudge, mmdbValueOf } from './address-record.ts';
import { createRegions, type RegionSources } from './covered-regions.ts';
import { keyOfAddress, networkOfKey } from './network-keys.ts';

export type MmdbJudge = StandingDeps & RegionSources;

export type GatherDeps = {
  readonly judge: MmdbJudge;
  readonly audience: Audience;
  readonly transaction: <T>(work: (tx: Db) => Promise<T>) => Promise<T>;
  readonly signal?: AbortSignal;
};

export type Gathered = {
  readonly tree: SearchTree;
  readonly records: readonly MmdbValue[];
  readonly addresses: number;
  readonly ranges: number;
};

/** The shared list whose members the database holds: every address and range from the least score on. */
export const LIST: ListName = 'blocklist-ips-all.txt';
const PAGE = 50_000;
const KEYS_A_TURN = 500;
const BEFORE_RANGES = Buffer.of(KIND.cidr4);
const SINGLE: ReadonlySet<number | undefined> = new Set([KIND.ipv4, KIND.ipv6]);

/**
 * Fills a tree with the members of the list: first the ranges, cut into pieces whose addresses are judged alike, then single
 * addresses, of which those with equal facts are judged once.
 */
export async function gatherNetworks(deps: GatherDeps): Promise<Gathered> {
  deps.judge.refresh?.();
  const run = createRun(deps, deps.judge.clock.now());
  const classes = await deps.transaction((tx) => classesOfList(tx, LIST, deps.audience));
  const digests = new Map(classes.map(({ id, digest }) => [id, digest.toString('hex')]));
  const ranges: Network[] = [];
  for await (const page of membersOf(deps, digests, BEFORE_RANGES))
    for (const { key, classId } of page)
      if (run.recordOfMember(key, classId, digests.get(classId)) !== null) ranges.push(networkOfKey(key));
  const regionsOf = createRegions(deps.judge);
  for (const range of outermost4And6(ranges))
    for (const region of regionsOf(range)) {
      const { version, first, bits, free } = region;
      const record = free === null ? null : run.recordOfCovered(keyOfAddress(version, free));
      run.tree.put(bytesOfAddress(version, first), bits, run.numberOf(record));
      await run.turn();
    }
  let addresses = 0;
  for await (const page of membersOf(deps, digests, null))
    for (const { key, classId } of page) {
      if (!SINGLE.has(key[0])) break;
      const record = run.recordOfMember(key, classId, digests.get(classId));
      if (record !== null) addresses += 1;
      if (record !== null) run.tree.put(key.subarray(1), (key.length - 1) * 8, run.numberOf(record));
      await run.turn();
    }
  closeCarriers(run.tree);
  return { tree: run.tree, records: run.records.values, addresses, ranges: ranges.length };
}

/** Pages of members after a key, the ranges after all addresses. */
async function* membersOf(
  { transaction, signal }: GatherDeps,
  classes: ReadonlyMap<number, string>,
  from: Buffer | null,
): AsyncGenerator<Awaited<ReturnType<typeof membersAfter>>> {
  const classIds = [...classes.keys()];
  const isOfAddresses = from === null;
  let after = from;
  while (classIds.length > 0) {
    signal?.throwIfAborted();
    const position = after;
    const page = await transaction((tx) =>
      membersAfter(tx, LIST, { classIds, after: position, limit: PAGE }),
    );
    yield page;
    after = page.at(-1)?.key ?? null;
    if (page.length < PAGE || (isOfAddresses && !SINGLE.has(after?.[0]))) return;
  }
}

const outermost4And6 = (ranges: readonly Network[]): readonly Network[] =>
  ([4, 6] as const).flatMap((version) => outermost(ranges.filter((range) => range.version === version)));

function createRun({ judge, audience }: GatherDeps, nowMs: number) {
  const [classify, caseOf] = [createClassifier(judge), createCaseReader(judge)];
  const judgeRecord = createRecordJudge(audience);
  const byClass = new Map<number, AddressRecord | null>();
  const byFacts = new Map<string, AddressRecord | null>();
  const numbers = new Map<AddressRecord, number>();
  const records = new RecordSet();
  let keys = 0;
  const recordOf = (key: Uint8Array, isCovered: boolean): AddressRecord | null => {
    const read = caseOf(key, nowMs);
    if (read === null) return null;
    const facts = `${isCovered} ${classFactsOf(read.input)}`;
    const known = byFacts.get(facts);
    if (known !== undefined) return known;
    const record = judgeRecord(read, isCovered);
    byFacts.set(facts, record);
    return record;
  };
  return {
    tree: new SearchTree(),
    records,
    numberOf: (record: AddressRecord | null): number | null => {
      if (record === null) return null;
      const known = numbers.get(record) ?? records.numberOf(mmdbValueOf(record));
      numbers.set(record, known);
      return known;
    },
    recordOfCovered: (key: Uint8Array) => recordOf(key, true),
    /** Judges each class once; a member whose class in the replica has changed since is judged on its own. */
    recordOfMember: (key: Uint8Array, classId: number, digest: string | undefined) => {
      const known = byClass.get(classId);
      if (known !== undefined) return known;
      const record = recordOf(key, false);
      if (classify(key, nowMs)?.digest === digest) byClass.set(classId, record);
      return record;
    },
    /** Gives way to the event loop now and then, so that the worker can renew its lease. */
    turn: async (): Promise<void> => {
      keys += 1;
      if (keys % KEYS_A_TURN === 0) await nextTurn();
    },
  };
}

const IPV4_COMPATIBLE = new Uint8Array(16);
const prefix = (...bytes: readonly number[]): Uint8Array => {
  const whole = new Uint8Array(16);
  whole.set(bytes);
  return whole;
};

/**
 * Readers look for IPv4 below ::/96. IPv4-mapped, NAT64 and 6to4 addresses are answered with the IPv4 address that they carry,
 * as a check does. A Teredo address and one of a local NAT64 carry it at a place that a tree cannot follow, so nothing is
 * said of them.
 */
function closeCarriers(tree: SearchTree): void {
  tree.put(prefix(0x20, 0x01, 0, 0), 32, null);
  tree.put(prefix(0, 0x64, 0xff, 0x9b, 0, 1), 48, null);
  tree.mirrorIpv4(IPV4_COMPATIBLE, 96);
  tree.mirrorIpv4(prefix(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff), 96);
  tree.mirrorIpv4(prefix(0, 0x64, 0xff, 0x9b), 96);
  tree.mirrorIpv4(prefix(0x20, 0x02), 16);
}
