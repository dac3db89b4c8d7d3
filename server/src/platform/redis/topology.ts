import type { Log } from '#platform/log.ts';
import { CLUSTER_SLOTS, keySlot } from './key-slot.ts';
import type { Link } from './link.ts';
import { type Address, addressName } from './redis-url.ts';

export type Topology = {
  readonly linkOf: (key: string) => Link | null;
  readonly links: () => readonly Link[];
  /** True when every key has a connection that accepts commands. */
  readonly isWhole: () => boolean;
  /** Reads the slots again; never fails. */
  readonly refresh: () => Promise<void>;
  readonly linkTo: (address: Address) => Link;
  readonly onReady: (link: Link) => void;
  readonly close: () => void;
};

export function singleTopology(link: Link): Topology {
  const links = [link];
  return {
    linkOf: () => link,
    links: () => links,
    isWhole: () => link.isUp,
    refresh: () => Promise.resolve(),
    linkTo: () => link,
    onReady: () => undefined,
    close: () => link.close(),
  };
}

const LOOK_EVERY_MS = 1_000;
const REFRESH_EVERY_LOOKS = 30;
const SLOTS_TIMEOUT_MS = 1_000;

/**
 * Routes a cluster without the driver's cluster client, which waits for dead nodes to connect, gives a command no
 * deadline, and passes it through four promises. The loss of one master leaves the keys of others untouched.
 */
export class ClusterTopology implements Topology {
  readonly #roots: readonly Address[];
  readonly #open: (address: Address) => Link;
  readonly #log: Log;
  readonly #links = new Map<string, Link>();
  #slots: (Link | undefined)[] = [];
  #refreshing: Promise<void> | null = null;
  #looks = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(roots: readonly Address[], open: (address: Address) => Link, log: Log) {
    this.#roots = roots;
    this.#open = open;
    this.#log = log;
    this.#openRoots();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  linkOf = (key: string): Link | null => this.#slots[keySlot(key)] ?? null;
  links = (): readonly Link[] => [...this.#links.values()];
  onReady = (): void => void this.refresh();

  isWhole = (): boolean =>
    this.#slots.length === CLUSTER_SLOTS && [...new Set(this.#slots)].every((link) => link?.isUp === true);

  linkTo = (address: Address): Link => {
    const name = addressName(address);
    const known = this.#links.get(name);
    if (known !== undefined) return known;
    const link = this.#open(address);
    this.#links.set(name, link);
    return link;
  };

  refresh = (): Promise<void> => {
    this.#refreshing ??= this.#discover().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  };

  close = (): void => {
    clearInterval(this.#timer);
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
    this.#slots = [];
  };

  #openRoots(): void {
    for (const address of this.#roots) this.linkTo(address);
  }

  #look(): void {
    this.#looks += 1;
    if (this.#looks % REFRESH_EVERY_LOOKS === 0 || !this.isWhole()) void this.refresh();
  }

  async #discover(): Promise<void> {
    const candidates = this.links().filter((link) => link.isUp);
    if (candidates.length === 0) return this.#openRoots();
    for (const link of candidates) {
      try {
        return this.#adopt(parseSlots(await link.sendSlowly(['CLUSTER', 'SLOTS'], SLOTS_TIMEOUT_MS), link));
      } catch (error) {
        this.#log.warn(
          { redis: link.name, reason: error instanceof Error ? error.message : 'unknown' },
          'redis cluster topology not readable',
        );
      }
    }
  }

  #adopt(ranges: readonly SlotRange[]): void {
    if (ranges.length === 0) return;
    const slots = Array.from<Link | undefined>({ length: CLUSTER_SLOTS });
    for (const { from, to, master } of ranges) slots.fill(this.linkTo(master), from, to + 1);
    this.#slots = slots;
    const masters = new Set(slots);
    for (const [name, link] of this.#links) {
      if (masters.has(link)) continue;
      this.#links.delete(name);
      link.close();
    }
  }
}

type SlotRange = { readonly from: number; readonly to: number; readonly master: Address };

/** CLUSTER SLOTS: [from, to, [host, port, ...], replicas...]; an empty host means the node that was asked. */
function parseSlots(reply: unknown, asked: Link): SlotRange[] {
  if (!Array.isArray(reply)) throw new Error('CLUSTER SLOTS did not answer a list.');
  return reply.map((range: unknown) => {
    const [from, to, master] = range as [number, number, [string | null, number]];
    const host = master[0] === null || master[0] === '' ? asked.address.host : master[0];
    return { from, to, master: { host, port: master[1] } };
  });
}
